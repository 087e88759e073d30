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
export function* rowPieces(header: readonly string[], body: Iterable<readonly string[]>): Generator<string> {
  const head = headOf(header);
  let lines = [head];
  let characters = head.length;
  for (const row of body) {
    const line = lineOf(header.length, row);
    if (lines.length > 1 && characters + line.length > TABLE_PIECE_CHARACTERS) {
      yield lines.join('\n');
      const isRepeated = head.length <= MAX_REPEATED_HEADER;
      lines = [isRepeated ? head : headOf(header.map(() => ''))];
      characters = lines[0]?.length ?? 0;
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
