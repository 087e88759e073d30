import { tableHead, type Spans } from './table-head.js';
import { cellLine, paragraph } from './text.js';

/** A header that is longer is not said again and again. */
const MAX_REPEATED_HEADER = 4_000;

/** How many characters of a table stand together, so that what is cut at structure has some. */
export const TABLE_PIECE_CHARACTERS = 20_000;

/**
 * Rows as Markdown, with what names the columns above every piece, and a title of all of them before the first. Empty
 * rows and columns are left out. `spans`: of cells that go over several columns, whose text stands in the first.
 */
export function tablePieces(rows: readonly (readonly string[])[], spans: Spans = []): string[] {
  const lines = rows
    .map((row, index) => ({ cells: row.map(cellLine), spans: spans[index] ?? [] }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const clean = lines.map(({ cells }) => cells);
  const head = tableHead(
    clean,
    lines.map((line) => line.spans),
  );
  const body = clean.slice(head.titles + head.rows);
  const width = clean.reduce((most, row) => Math.max(most, row.length), 0);
  const used = Array.from({ length: width }, (_, column) => column).filter((column) =>
    clean.slice(head.titles).some((row) => (row[column] ?? '') !== ''),
  );
  const usedOf = (row: readonly string[]): string[] => used.map((column) => row[column] ?? '');
  const titles = clean.slice(0, head.titles).map(([title = '']) => paragraph(title));
  return used.length === 0 ? titles : [...titles, ...rowPieces(usedOf(head.names), body.map(usedOf))];
}

/** Pieces of a table whose cells are text on one line. */
export function rowPieces(header: readonly string[], body: Iterable<readonly string[]>): Generator<string> {
  return linePieces(headOf(header), headOf(header.map(() => '')), linesOf(header.length, body));
}

function* linesOf(width: number, rows: Iterable<readonly string[]>): Generator<string> {
  for (const row of rows) yield lineOf(width, row);
}

/** Pieces of a table whose rows are Markdown already. Of a long head only the first one has the words. */
export function* linePieces(head: string, bareHead: string, rows: Iterable<string>): Generator<string> {
  const repeated = head.length <= MAX_REPEATED_HEADER ? head : bareHead;
  let lines = [head];
  let characters = head.length;
  for (const line of rows) {
    if (lines.length > 1 && characters + line.length > TABLE_PIECE_CHARACTERS) {
      yield lines.join('\n');
      lines = [repeated];
      characters = repeated.length;
    }
    lines.push(line);
    characters += line.length + 1;
  }
  yield lines.join('\n');
}

function headOf(cells: readonly string[]): string {
  return `${lineOf(cells.length, cells)}\n|${' --- |'.repeat(cells.length)}`;
}

function lineOf(width: number, cells: readonly string[]): string {
  const filled = Array.from({ length: width }, (_, column) => cells[column] ?? '');
  return `| ${filled.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Text that begins with a bar has a sign before it that says so. */
export function isTable(markdown: string): boolean {
  return markdown.startsWith('|');
}

/** A table as it stands in a cell of another one: a comma between values, a semicolon between rows. */
export function tableInCell(markdown: string): string {
  return markdown
    .split('\n')
    .filter((line) => !/^\|(?: --- \|)+$/.test(line))
    .map((line) => line.slice(2, -2).split(' | '))
    .map((cells) => cells.filter((cell) => cell !== '').join(', '))
    .filter((row) => row !== '')
    .join('; ')
    .replaceAll('\\|', '|');
}
