import { piecesOf } from '../../office/markdown/pieces.js';
import { rowPieces } from '../../office/markdown/table.js';
import { cellLine, paragraph } from '../../office/markdown/text.js';
import { csvRows } from './csv-rows.js';
import { separatorOf, withoutSeparatorLine } from './csv-separator.js';
import type { TextReading } from '../../page-reader.js';
import { MAX_CELL_CHARACTERS } from '../../office/markdown/table-head.js';
import { remark } from '../../remarks.js';

const ROWS_AT_A_TIME = 500;

/** Wider tables are hard to read, for models too. */
const MAX_COLUMNS = 40;
const MAX_HEADER_CHARACTERS = 2000;
type Row = readonly string[];

/**
 * Converts separated values to tables; each piece repeats the header. Very wide tables become records. The header is
 * the first row after any titles. `name`: the file's.
 */
export function* readCsv(text: string, name: string): TextReading {
  const rows = csvRows(withoutSeparatorLine(text), separatorOf(text, name));
  let header: Row | null = null;
  let batch: Row[] = [];
  for (;;) {
    const { done, value } = rows.next();
    if (done || batch.length === ROWS_AT_A_TIME) {
      if (header !== null && batch.length > 0) yield* tableOf(header, batch);
      else if (batch.length > 0) header = yield* beginningOf(batch);
      batch = [];
    }
    if (done) return value === 0 ? [] : [remark('UNCLOSED_QUOTES')];
    const row = value.map(cellLine);
    if (row.some((cell) => cell !== '')) batch.push(row);
  }
}

/** Yields the titles and first rows, and returns the header between them. */
function* beginningOf(rows: readonly Row[]): Generator<string, Row> {
  const first = titlesOf(rows);
  yield* piecesOf(rows.slice(0, first).map(([title = '']) => ({ markdown: paragraph(title) })));
  const [header = [], ...others] = rows.slice(first);
  yield* tableOf(header, others);
  return header;
}

/** The number of leading rows with a single text. If most other rows have a single text too, they are data. */
function titlesOf(rows: readonly Row[]): number {
  const titles = Math.max(
    0,
    rows.findIndex((row) => !isTitle(row)),
  );
  const below = rows.slice(titles);
  return below.filter(isTitle).length * 2 < below.length ? titles : 0;
}

function isTitle(row: Row): boolean {
  return row.findLastIndex((cell) => cell !== '') === 0;
}

function* tableOf(header: Row, rows: readonly Row[]): Generator<string> {
  const width = rows.reduce((most, row) => Math.max(most, row.length), header.length);
  const isWide = width > MAX_COLUMNS || header.join('').length > MAX_HEADER_CHARACTERS;
  const hasLongCells = rows.some((row) => row.some((cell) => cell.length > MAX_CELL_CHARACTERS));
  if (isWide || hasLongCells) yield* piecesOf(records(header, rows));
  // A row may have more cells than the header.
  else
    yield* rowPieces(
      Array.from({ length: width }, (_, column) => header[column] ?? ''),
      rows,
    );
}

function* records(header: Row, rows: readonly Row[]): Generator<{ markdown: string }> {
  for (const row of rows) {
    const fields = row.flatMap((cell, column) => (cell === '' ? [] : [named(header[column] ?? '', cell)]));
    yield { markdown: fields.join('\n') };
  }
}

function named(name: string, cell: string): string {
  return name === '' ? `- ${cell}` : `- ${name}: ${cell}`;
}
