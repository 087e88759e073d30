import { mediaTypeOf } from '../format/formats.js';
import { garbledShare } from '../garbled.js';
import type { ReadFile, TextReading } from '../page-reader.js';
import { DocumentRefused, type ParsedPage, type ParsedSummary, type TextFormat } from '../parsed-document.js';
import { refusalOf } from '../reader-failure.js';
import { readCsv } from './csv/read-csv.js';
import { type DecodedText, decodeText } from './encoding/decode-text.js';
import { readHtml } from './html/read-html.js';
import { readMarkdown, readPlain } from './read-plain.js';
import { textFormatOf } from './text-format.js';
import { remark, type Remark } from '../remarks.js';

const readers: Record<TextFormat, (text: string, name: string) => TextReading> = {
  html: readHtml,
  markdown: readMarkdown,
  csv: readCsv,
  text: readPlain,
};

/** Control and replacement characters, which texts have only by accident. */
const UNREADABLE = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]/g;
const MAX_UNREADABLE_SHARE = 0.05;
const NOTABLE_GARBLED_SHARE = 0.01;

/** Reads a text file in any encoding. Throws DocumentRefused if it is not text. */
export async function* readText({ bytes, name }: ReadFile): AsyncGenerator<ParsedPage, ParsedSummary> {
  const decoded = decodeText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const shown = withoutTerminalCodes(decoded.text).replaceAll(/\r\n?|[\u2028\u2029\x85]/g, '\n');
  const text = withoutZeros(shown) ?? shown;
  const unreadable = text.match(UNREADABLE)?.length ?? 0;
  if (unreadable > text.length * MAX_UNREADABLE_SHARE) throw noText(text);
  if (text.trim() === '') throw new DocumentRefused(remark('BLANK'));
  const format = textFormatOf(text, name);
  try {
    const pieces = readers[format](text, name);
    for (;;) {
      const { done, value } = pieces.next();
      if (!done) yield { number: null, markdown: value };
      else {
        const zeros = text === shown ? [] : [remark('ZEROS_LEFT_OUT')];
        const warnings = [...warningsOf({ ...decoded, text }, unreadable), ...zeros, ...value];
        return { format, mediaType: mediaTypeOf(format), pages: null, warnings };
      }
    }
  } catch (error) {
    throw refusalOf(error, format);
  }
}

/** Removes zero bytes: fixed-size fields and files that were never closed are padded with them. Null: another text. */
function withoutZeros(text: string): string | null {
  if (!text.includes('\0')) return null;
  const rest = text.replaceAll(/\0+/g, ' ');
  return /[\p{L}\p{N}]{3}/u.test(rest) && rest.search(UNREADABLE) === -1 ? rest : null;
}

function noText(text: string): DocumentRefused {
  return new DocumentRefused(remark(text.includes('\0') ? 'ZEROS_WITHIN' : 'NO_KNOWN_KIND'));
}

function warningsOf({ text, encoding, isDoubtful }: DecodedText, unreadable: number): Remark[] {
  const warnings: Remark[] = [];
  if (isDoubtful) warnings.push(remark('DOUBTFUL_ENCODING', { encoding }));
  if (unreadable > 0) warnings.push(remark('UNREADABLE_CHARACTERS', { count: unreadable }));
  else if (garbledShare(text) > NOTABLE_GARBLED_SHARE) warnings.push(remark('GARBLED'));
  return warnings;
}

/** ECMA-48: colours, cursor movements, window titles, character sets. */
const CODES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[()][0-9A-Z]|[=>78])/g;

/** Terminal output without control sequences. */
function withoutTerminalCodes(text: string): string {
  return text.includes('\x1b') ? text.replaceAll(CODES, '') : text;
}
