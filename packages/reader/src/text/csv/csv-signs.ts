import { csvRows } from './csv-rows.js';
import { sampleLines, separatorOf } from './csv-separator.js';

/** Fewer lines may have the same number of commas by accident. */
const TELLING_LINES = 10;

/** Values are shorter; sentences are longer. */
const MAX_CHARACTERS = 100;

/** Punctuation of sentences. */
const SPACED = /[,;] | ;/;

/** Whether all lines have as many values as the first, which names them. For texts whose file name says nothing. */
export function looksLikeCsv(text: string): boolean {
  const lines = sampleLines(text);
  const [first = ''] = lines;
  if (lines.length < TELLING_LINES || SPACED.test(first)) return false;
  const separator = separatorOf(text, '');
  const rows = lines.map((line) => line.split(separator));
  const names = csvRows(text, separator).next().value;
  return (
    Array.isArray(names) &&
    areNames(names) &&
    rows.every((row) => row.length === names.length && row.every(({ length }) => length <= MAX_CHARACTERS))
  );
}

function areNames(cells: readonly string[]): boolean {
  return (
    cells.length > 1 &&
    /^\p{L}/u.test(cells[0] ?? '') &&
    cells.every((cell) => cell.trim() !== '' && cell.length <= MAX_CHARACTERS) &&
    new Set(cells).size === cells.length
  );
}
