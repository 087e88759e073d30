import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';

const PIECE_CHARACTERS = 65_536;

/** The limit of a quoted field. If it is longer, the quotation mark was meant literally. */
const MAX_QUOTED_CHARACTERS = 4 * PIECE_CHARACTERS;

/**
 * The rows of a table whose lines end in \n, read in parts. If a quotation mark is never closed, those around it are
 * taken literally. Returns how often that happened.
 */
export function* csvRows(text: string, separator: string): Generator<string[], number> {
  let start = 0;
  let unclosed = 0;
  while (start < text.length) {
    let end = lineEnd(text, start + PIECE_CHARACTERS);
    let rows = parsed(text.slice(start, end), separator, true);
    while (rows === null && end < text.length && end - start < MAX_QUOTED_CHARACTERS) {
      end = lineEnd(text, start + 2 * (end - start));
      rows = parsed(text.slice(start, end), separator, true);
    }
    if (rows === null) unclosed += 1;
    yield* rows ?? parsed(text.slice(start, end), separator, false) ?? [];
    start = end;
  }
  return unclosed;
}

/** The position after the next line break from `index` on. */
function lineEnd(text: string, index: number): number {
  const found = text.indexOf('\n', index);
  return found === -1 ? text.length : found + 1;
}

/** Null: a quotation mark is not closed. */
function parsed(text: string, separator: string, hasQuotes: boolean): string[][] | null {
  try {
    return parse(text, {
      delimiter: separator,
      recordDelimiter: '\n',
      quote: hasQuotes ? '"' : null,
      relaxQuotes: true,
      // To recognise a quotation mark after a blank.
      ltrim: true,
      relaxColumnCount: true,
      skipEmptyLines: true,
    });
  } catch (error) {
    if (error instanceof CsvError && hasQuotes) return null;
    throw error;
  }
}
