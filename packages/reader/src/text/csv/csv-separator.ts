import { extensionOf } from '../../format/formats.js';
import { csvRows } from './csv-rows.js';

const SEPARATORS = [',', ';', '\t', '|'] as const;
type Separator = (typeof SEPARATORS)[number];

/** Separators by file extension. */
const byExtension: Readonly<Record<string, Separator>> = { tsv: '\t', tab: '\t', psv: '|' };

const SAMPLE_CHARACTERS = 20_000;
const SAMPLE_LINES = 50;

/** A line with which some programs declare the separator. */
const SAID = /^\s*sep=(.)\n/i;

/** A comma within a value: in a decimal number or a sentence. */
const COMMA_OF_VALUE = /(?<=\d),(?=\d)|,(?= )/g;

/**
 * Detects the separator: the declared one, that of the file's extension, or the one that most lines have the same
 * number of. In a tie, the most frequent one wins, where commas within values do not count.
 */
export function separatorOf(text: string, name: string): string {
  const [, said] = SAID.exec(text) ?? [];
  if (said !== undefined) return said;
  const lines = sampleLines(text);
  const named = byExtension[extensionOf(name)];
  if (named !== undefined && lines.some((line) => line.includes(named))) return named;
  const [best] = SEPARATORS.map((separator) => fitOf(separator, lines)).toSorted(
    (one, other) => other.share - one.share || other.certain - one.certain,
  );
  return best?.separator ?? ',';
}

export function withoutSeparatorLine(text: string): string {
  return text.replace(SAID, '');
}

/** Lines of the beginning, without quoted text. */
export function sampleLines(text: string): string[] {
  return (
    text
      .slice(0, SAMPLE_CHARACTERS)
      .replaceAll(/"[^"]*"/g, '')
      .split('\n')
      // The last line of a sample is incomplete.
      .slice(0, text.length > SAMPLE_CHARACTERS ? -1 : undefined)
      .filter((line) => line.trim() !== '')
      .slice(0, SAMPLE_LINES)
  );
}

interface Fit {
  separator: Separator;
  /** The share of lines with the most common number of separators. */
  share: number;
  /** The number of separators that cannot be anything else. */
  certain: number;
}

function fitOf(separator: Separator, lines: readonly string[]): Fit {
  const times = new Map<number, number>();
  let certain = 0;
  for (const line of lines) {
    const count = line.split(separator).length - 1;
    if (count > 0) times.set(count, (times.get(count) ?? 0) + 1);
    certain += count - (separator === ',' ? (line.match(COMMA_OF_VALUE)?.length ?? 0) : 0);
  }
  return { separator, share: Math.max(0, ...times.values()) / lines.length, certain };
}

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
