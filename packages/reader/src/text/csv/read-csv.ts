import { piecesOf } from '../../office/markdown/pieces.js';
import { rowPieces } from '../../office/markdown/table.js';
import { cellLine, paragraph } from '../../office/markdown/text.js';
import { csvRows } from './csv-rows.js';
import { separatorOf, withoutSeparatorLine } from './csv-separator.js';
import type { TextReading } from '../text-reading.js';

const ROWS_AT_A_TIME = 500;

/** Tables that are wider are hard to read as such, for models too. */
const MAX_COLUMNS = 40;
const MAX_HEADER_CHARACTERS = 2000;
const MAX_CELL_CHARACTERS = 2000;

type Row = readonly string[];

/**
 * Rows of separated values as tables below their header, which each piece repeats; very wide ones as records. The header
 * is the first row, but for titles above it. `name`: of the file.
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
    if (done) return warningsOf(value);
    const row = value.map(cellLine);
    if (row.some((cell) => cell !== '')) batch.push(row);
  }
}

/** Gives the titles and the first rows, and returns the header that stands between them. */
function* beginningOf(rows: readonly Row[]): Generator<string, Row> {
  const first = titlesOf(rows);
  yield* piecesOf(rows.slice(0, first).map(([title = '']) => ({ markdown: paragraph(title) })));
  const [header = [], ...others] = rows.slice(first);
  yield* tableOf(header, others);
  return header;
}

/** How many rows at the beginning hold a single text. Where most below them do as well, these are the table. */
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

function warningsOf(unclosed: number): string[] {
  return unclosed === 0
    ? []
    : ['Some quotation marks are not closed: near them values may stand in the wrong column.'];
}

function* tableOf(header: Row, rows: readonly Row[]): Generator<string> {
  const width = rows.reduce((most, row) => Math.max(most, row.length), header.length);
  const isWide = width > MAX_COLUMNS || header.join('').length > MAX_HEADER_CHARACTERS;
  const hasLongCells = rows.some((row) => row.some((cell) => cell.length > MAX_CELL_CHARACTERS));
  if (isWide || hasLongCells) yield* piecesOf(records(header, rows));
  // A row may have more cells than there are names for.
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
