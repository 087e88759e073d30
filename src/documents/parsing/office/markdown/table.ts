import { oneLine } from './text.js';

/** A header that is longer is not said again and again. */
const MAX_REPEATED_HEADER = 4_000;

/** How many characters of a table stand together, so that what is cut at structure has some. */
export const TABLE_PIECE_CHARACTERS = 20_000;

/** Rows as Markdown, the first one as header, which stands above every piece. Empty rows and columns are left out. */
export const tablePieces = (rows: readonly (readonly string[])[]): string[] => {
  const clean = rows.map((row) => row.map(oneLine)).filter((row) => row.some((cell) => cell !== ''));
  const width = clean.reduce((most, row) => Math.max(most, row.length), 0);
  const used = Array.from({ length: width }, (_, column) => column).filter((column) =>
    clean.some((row) => (row[column] ?? '') !== ''),
  );
  const [header, ...body] = clean.map((row) => used.map((column) => row[column] ?? ''));
  return header ? [...rowPieces(header, body)] : [];
};

/** Pieces of a table whose cells are text on one line. */
export const rowPieces = (header: readonly string[], body: Iterable<readonly string[]>): Generator<string> =>
  linePieces(headOf(header), headOf(header.map(() => '')), linesOf(header.length, body));

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

const headOf = (cells: readonly string[]): string =>
  `${lineOf(cells.length, cells)}\n|${' --- |'.repeat(cells.length)}`;

const lineOf = (width: number, cells: readonly string[]): string => {
  const filled = Array.from({ length: width }, (_, column) => cells[column] ?? '');
  return `| ${filled.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
};

/** Text that begins with a bar has a sign before it that says so. */
export const isTable = (markdown: string): boolean => markdown.startsWith('|');

/** A table as it stands in a cell of another one: a comma between values, a semicolon between rows. */
export const tableInCell = (markdown: string): string =>
  markdown
    .split('\n')
    .filter((line) => !/^\|(?: --- \|)+$/.test(line))
    .map((line) => line.slice(2, -2).split(' | '))
    .map((cells) => cells.filter((cell) => cell !== '').join(', '))
    .filter((row) => row !== '')
    .join('; ')
    .replaceAll('\\|', '|');
