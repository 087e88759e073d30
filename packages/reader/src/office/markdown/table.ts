import { tableHead, type Spans } from './table-head.js';
import { cellLine, paragraph } from './text.js';

/** A longer header is not repeated. */
const MAX_REPEATED_HEADER = 4_000;

/** The characters of one piece of a table, so that every piece that is cut further has a header. */
export const TABLE_PIECE_CHARACTERS = 20_000;

/**
 * Rows as Markdown. Each piece repeats the column names; a title of the table comes first. Empty rows and columns are
 * left out. `spans`: the spans of cells whose text is in their first column.
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

/** Table pieces from cells that are text on one line. */
export function rowPieces(header: readonly string[], body: Iterable<readonly string[]>): Generator<string> {
  return linePieces(headOf(header), headOf(header.map(() => '')), linesOf(header.length, body));
}

function* linesOf(width: number, rows: Iterable<readonly string[]>): Generator<string> {
  for (const row of rows) yield lineOf(width, row);
}

/** Table pieces from rows that are Markdown already. A long header is written out in the first piece only. */
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

/** Text that begins with a bar is escaped, so this is a table. */
export function isTable(markdown: string): boolean {
  return markdown.startsWith('|');
}

/** A nested table on one line: commas between values, semicolons between rows. */
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
