/**
 * How much of a text comes whole out of a PDF, by how it is laid out: the handbooks of bench/documents are drawn in each
 * layout and read again, and of their sections those are counted whose text is there from its first word to its last.
 *
 *   npm run bench -- reader
 */
import { readdirSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';

import { readDocument } from '../dist/index.js';
import { chineseWriter, drawnPdf } from '../dist/pdf/fixtures/drawn-pdf.double.js';

const texts = new URL('../../../bench/documents/texts/', import.meta.url);
const SIZE = 10;
const PITCH = 14;
const PAGE = { left: 56, top: 60, width: 482, bottom: 780 };

/** `x` and `width` of the columns of a page, and of a section: where its label and its text begin. */
const layouts = {
  'one column': { columns: [{ x: 0, width: PAGE.width }] },
  'two columns, 10 points apart': {
    columns: [
      { x: 0, width: 236 },
      { x: 246, width: 236 },
    ],
  },
  'labels before the text': { columns: [{ x: 0, width: PAGE.width }], isLabelled: true },
  'labels beside the text': { columns: [{ x: 0, width: PAGE.width }], isLabelled: true, hang: 70 },
};

function sectionsOf(markdown) {
  return markdown
    .split(/\n(?=## )/)
    .slice(1)
    .map((section) => section.trim().split('\n').slice(1).join(' ').trim());
}

/** Lines of words or, in Chinese, of characters; the first is shorter by `indent`. */
function linesOf(text, width, indent, widthOf) {
  const parts = text.match(/\p{Script=Han}|[^\s\p{Script=Han}]+\s*|\s+/gu) ?? [];
  const lines = [''];
  for (const part of parts) {
    const room = width - (lines.length === 1 ? indent : 0);
    if (widthOf(lines.at(-1) + part.trimEnd()) > room) lines.push('');
    lines[lines.length - 1] += part;
  }
  return lines.map((line) => line.trimEnd());
}

function labelOf(index, isChinese) {
  return isChinese ? `第${index + 1}條` : `Article ${index + 1}`;
}

function drawn(sections, { columns, isLabelled = false, hang = 0 }, isChinese) {
  return drawnPdf((document) => {
    document.font('Times-Roman').fontSize(SIZE);
    const chinese = chineseWriter(document);
    const widthOf = (text) => (isChinese ? SIZE * text.length : document.widthOfString(text));
    const write = (text, x, y) =>
      isChinese ? chinese(text, { x, y, size: SIZE }) : document.text(text, x, y, { lineBreak: false });
    let [column, y] = [0, PAGE.top];
    for (const [index, text] of sections.entries()) {
      const label = labelOf(index, isChinese);
      const indent = isLabelled && hang === 0 ? widthOf(label) + SIZE : 0;
      const lines = linesOf(text, columns[0].width - hang, indent, widthOf);
      for (const [at, line] of lines.entries()) {
        if (y > PAGE.bottom) [column, y] = [column + 1, PAGE.top];
        if (column === columns.length) column = (document.addPage(), 0);
        const left = PAGE.left + columns[column].x;
        if (at === 0 && isLabelled) write(label, left, y);
        write(line, left + hang + (at === 0 ? indent : 0), y);
        y += PITCH;
      }
      y += isLabelled ? 0 : PITCH;
    }
  });
}

const limits = { timeoutMs: 60_000, memoryMegabytes: 1024 };
const logger = { info() {}, warn: console.warn, error: console.error, debug() {}, trace() {} };
const { signal } = new AbortController();
function squeezed(text) {
  return text.replaceAll(/\s+/g, '');
}

const rows = {};
for (const [name, layout] of Object.entries(layouts)) {
  let [sections, whole, tableRows] = [0, 0, 0];
  for (const file of readdirSync(texts)) {
    const bodies = sectionsOf(readFileSync(new URL(file, texts), 'utf8'));
    const isChinese = file.includes('zh');
    const bytes = await drawn(bodies, layout, isChinese);
    const pages = readDocument(Readable.from([bytes]), { name: 'x.pdf' }, { limits, logger, signal });
    let read = '';
    for await (const { markdown } of pages) read += `${markdown}\n`;
    sections += bodies.length;
    const expected = bodies.map((body, at) => (layout.isLabelled ? labelOf(at, isChinese) : '') + body);
    whole += expected.filter((section) => squeezed(read).includes(squeezed(section))).length;
    tableRows += read.match(/^\|/gm)?.length ?? 0;
  }
  rows[name] = { sections, whole, share: (whole / sections).toFixed(3), 'rows of tables': tableRows };
}
console.table(rows);
