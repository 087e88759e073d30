/**
 * How much of a text comes whole out of a PDF, by how it is laid out: the handbooks of bench/documents are drawn in each
 * layout and read again, and of their sections those are counted whose text is there from its first word to its last, and
 * those that begin on the page on which they were drawn.
 *
 *   npm run bench -- reader
 */
import { readdirSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';

import { readDocument } from '../dist/index.js';
import { drawn, labelOf, sentencesOf } from './drawing.js';
import { layouts, plain } from './layouts.js';

const texts = new URL('../../../bench/documents/texts/', import.meta.url);

function sectionsOf(markdown) {
  return markdown
    .split(/\n(?=## )/)
    .slice(1)
    .map((section) => section.trim().split('\n').slice(1).join(' ').trim());
}

/** Without blanks, and without the marks of headings and lists. */
function squeezed(markdown) {
  return markdown.replaceAll(/^(?:#+|[-*]) /gm, '').replaceAll(/\s+/g, '');
}

/** What is to be found of a section: its label, if it is drawn, and its text. */
function expectedOf(text, index, { label, bullet }, isChinese) {
  const shown = bullet === '' ? text : sentencesOf(text).join(' ');
  return squeezed(label === 'none' ? shown : labelOf(index, isChinese) + shown);
}

const limits = { timeoutMs: 60_000, memoryMegabytes: 1024 };
const logger = { info() {}, warn: console.warn, error: console.error, debug() {}, trace() {} };
const { signal } = new AbortController();

/** The characters by which a section's beginning is looked for on a page. */
const BEGINNING = 24;

const rows = {};
for (const [name, own] of Object.entries(layouts)) {
  const layout = { ...plain, ...own };
  let [sections, whole, onPage, tables] = [0, 0, 0, 0];
  for (const file of readdirSync(texts)) {
    const bodies = sectionsOf(readFileSync(new URL(file, texts), 'utf8'));
    const isChinese = file.includes('zh');
    const { bytes, begins } = await drawn(bodies, layout, isChinese);
    const pages = [];
    const read = readDocument(Readable.from([bytes]), { name: 'x.pdf' }, { limits, logger, signal });
    for await (const { markdown } of read) pages.push(markdown);
    const all = squeezed(pages.join('\n'));
    const expected = bodies.map((body, at) => expectedOf(body, at, layout, isChinese));
    const isOnPage = (text, at) => squeezed(pages[begins[at] - 1] ?? '').includes(text.slice(0, BEGINNING));
    sections += bodies.length;
    whole += expected.filter((text) => all.includes(text)).length;
    onPage += expected.filter(isOnPage).length;
    tables += pages.join('\n').match(/^\| -/gm)?.length ?? 0;
  }
  const share = (count) => (count / sections).toFixed(3);
  rows[name] = { sections, whole: share(whole), 'on its page': share(onPage), tables };
}
console.table(rows);
