/**
 * How much of a text comes whole out of a file, by how it is laid out: the handbooks of bench/documents are drawn in each
 * layout and read again, and of their sections those are counted whose text is there from its first word to its last, and
 * those that begin on the page on which they were drawn; and of their sentences, which citations quote, those that are
 * there.
 *
 *   npm run bench -- reader [--misses]
 *
 * `--misses` lists the sections that are not there whole.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';

import { readDocument } from '../dist/index.js';
import { drawn, labelOf, sentencesOf } from './drawing.js';
import { layouts, plain } from './layouts.js';
import { officeLayouts } from './office-layouts.js';

const texts = new URL('../../../bench/documents/texts/', import.meta.url);
const showsMisses = process.argv.includes('--misses');

function sectionsOf(markdown) {
  return markdown
    .split(/\n(?=## )/)
    .slice(1)
    .map((section) => {
      const [title, ...lines] = section.trim().split('\n');
      return { title: title.slice(3), body: lines.join(' ').trim() };
    });
}

/** Without blanks, and without the marks of headings, lists and tables. */
function squeezed(markdown) {
  return markdown
    .replaceAll(/^(?:#+|[-*]) /gm, '')
    .replaceAll(/^\|(?: -+ \|)+$/gm, '')
    .replaceAll(/\||^\s*[-*] /gm, '')
    .replaceAll(/\s+/g, '');
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

/** The handbooks, with the Markdown of their pages as they are read from the files that `fileOf` makes. */
async function countsOf(name, extension, fileOf) {
  const counts = { sections: 0, whole: 0, placed: 0, onPage: 0, sentences: 0, quoted: 0, tables: 0 };
  for (const file of readdirSync(texts)) {
    const sections = sectionsOf(readFileSync(new URL(file, texts), 'utf8'));
    const { bytes, begins, expected } = await fileOf(sections, file.includes('zh'));
    const pages = [];
    const read = readDocument(Readable.from([bytes]), { name: `x.${extension}` }, { limits, logger, signal });
    for await (const { markdown } of read) pages.push(markdown);
    const all = squeezed(pages.join('\n'));
    const sentences = sections.flatMap(({ body }) => sentencesOf(body).map(squeezed));
    const missed = expected.filter((text) => !all.includes(text));
    if (showsMisses) for (const text of missed) console.log(`${extension}, ${name}: ${text.slice(0, 80)}`);
    counts.sections += sections.length;
    counts.whole += expected.length - missed.length;
    counts.placed += begins?.length ?? 0;
    counts.onPage += expected.filter(
      (text, at) => begins && squeezed(pages[begins[at] - 1] ?? '').includes(text.slice(0, BEGINNING)),
    ).length;
    counts.sentences += sentences.length;
    counts.quoted += sentences.filter((sentence) => all.includes(sentence)).length;
    counts.tables += pages.join('\n').match(/^\| -/gm)?.length ?? 0;
  }
  return counts;
}

function rowOf({ sections, whole, placed, onPage, sentences, quoted, tables }) {
  const share = (count, of) => (of === 0 ? '–' : (count / of).toFixed(3));
  return {
    sections,
    whole: share(whole, sections),
    'on its page': share(onPage, placed),
    sentences: share(quoted, sentences),
    tables,
  };
}

const all = {
  pdf: Object.fromEntries(
    Object.entries(layouts).map(([name, own]) => {
      const layout = { ...plain, ...own };
      return [
        name,
        async (sections, isChinese) => {
          const bodies = sections.map(({ body }) => body);
          const file = await drawn(bodies, layout, isChinese);
          return { ...file, expected: bodies.map((body, at) => expectedOf(body, at, layout, isChinese)) };
        },
      ];
    }),
  ),
  ...Object.fromEntries(
    Object.entries(officeLayouts).map(([extension, own]) => [
      extension,
      Object.fromEntries(
        Object.entries(own).map(([name, fileOf]) => [
          name,
          async (sections) => {
            const { shown = sections.map(({ body }) => body), ...file } = fileOf(sections);
            return { ...file, expected: shown.map(squeezed) };
          },
        ]),
      ),
    ]),
  ),
};

for (const [extension, own] of Object.entries(all)) {
  const rows = {};
  const total = {};
  for (const [name, fileOf] of Object.entries(own)) {
    const counts = await countsOf(name, extension, fileOf);
    rows[name] = rowOf(counts);
    for (const [key, count] of Object.entries(counts)) total[key] = (total[key] ?? 0) + count;
  }
  rows[`all ${Object.keys(own).length}`] = rowOf(total);
  console.log(extension.toUpperCase());
  console.table(rows);
}
