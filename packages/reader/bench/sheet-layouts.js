import { sheetXml, xlsxOf } from '../dist/office/fixtures.double.js';
import { sentencesOf } from './drawing.js';

function ownPages(sections) {
  return sections.map((_, at) => at + 1);
}

const COLUMNS = 'ABCDEFGHIJ';

function cell(column, row, text) {
  return `<c r="${COLUMNS[column]}${row}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}
function number(column, row, value) {
  return `<c r="${COLUMNS[column]}${row}"><v>${value}</v></c>`;
}
/** Rows of cells; null: nothing is there. */
function sheet(rows, more = '') {
  const written = rows.map((cells, at) => {
    const row = at + 1;
    const all = cells.map((value, column) => {
      if (value === null) return '';
      return typeof value === 'number' ? number(column, row, value) : cell(column, row, value);
    });
    return `<row r="${row}">${all.join('')}</row>`;
  });
  return `<sheetData>${written.join('')}</sheetData>${more}`;
}
function oneSheet(rowsOf, more) {
  return (sections) => ({
    bytes: xlsxOf({ Data: sheet(rowsOf(sections), more) }),
    begins: sections.map(() => 1),
  });
}

/** How the texts of a workbook are laid out; its pages are its sheets. */
export const sheetLayouts = {
  'a row a section': oneSheet((sections) => [
    ['Title', 'Text'],
    ...sections.map(({ title, body }) => [title, body]),
  ]),
  'a row a section, with figures beside': oneSheet((sections) => [
    ['No', 'Title', 'Text', 'Year'],
    ...sections.map(({ title, body }, at) => [at + 1, title, body, 2025]),
  ]),
  'a table below a title and empty rows': oneSheet((sections) => [
    ['Handbook of the house'],
    [],
    [],
    [null, 'Title', 'Text'],
    ...sections.map(({ title, body }) => [null, title, body]),
  ]),
  'a sheet a section': (sections) => ({
    bytes: xlsxOf(
      Object.fromEntries(sections.map(({ title, body }, at) => [`S${at + 1}`, sheet([[title], [body]])])),
    ),
    begins: ownPages(sections),
  }),
  'a form: names on the left, values on the right': oneSheet((sections) =>
    sections.flatMap(({ title, body }) => [[title, body], []]),
  ),
  'a heading row before each text': oneSheet((sections) =>
    sections.flatMap(({ title, body }) => [[title], [null, body]]),
  ),
  'two tables side by side': oneSheet((sections) => {
    const middle = Math.ceil(sections.length / 2);
    const left = sections.slice(0, middle);
    return [
      ['Title', 'Text', null, 'Title', 'Text'],
      ...left.map(({ title, body }, at) => {
        const other = sections[middle + at];
        return [title, body, null, other?.title ?? null, other?.body ?? null];
      }),
    ];
  }),
  'texts in a list of shared ones, in runs': (sections) => {
    const runs = (text) => `<si>${text.replaceAll(/\S+\s*/g, '<r><t xml:space="preserve">$&</t></r>')}</si>`;
    const strings = sheetXml(
      'sst',
      sections.flatMap(({ title, body }) => [runs(title), runs(body)]).join(''),
    );
    const rows = sections.map(
      (_, at) =>
        `<row r="${at + 1}"><c r="A${at + 1}" t="s"><v>${2 * at}</v></c><c r="B${at + 1}" t="s"><v>${2 * at + 1}</v></c></row>`,
    );
    return {
      bytes: xlsxOf({ Data: `<sheetData>${rows.join('')}</sheetData>` }, { 'xl/sharedStrings.xml': strings }),
      begins: sections.map(() => 1),
    };
  },
  'a row a sentence, below a label over all of them': (sections) => {
    const rows = sections.flatMap(({ title, body }) =>
      sentencesOf(body).map((each, at) => [at === 0 ? title : null, each]),
    );
    let from = 1;
    const merges = sections.map(({ body }) => {
      const first = from;
      from += sentencesOf(body).length;
      return `<mergeCell ref="A${first}:A${from - 1}"/>`;
    });
    return {
      bytes: xlsxOf({ Data: sheet(rows, `<mergeCells>${merges.join('')}</mergeCells>`) }),
      begins: sections.map(() => 1),
      // Each row says by itself what it is about.
      shown: sections.map(({ title, body }) =>
        sentencesOf(body)
          .map((each) => `${title} ${each}`)
          .join(' '),
      ),
    };
  },
  'a text over several columns that are one': oneSheet((sections) =>
    sections.flatMap(({ title, body }) => [
      [title, null, null],
      [body, null, null],
    ]),
  ),
};
