import { z } from 'zod';

import { hiddenRows } from './shown-json.js';

// Format characters can hide text from people but not from models. Joiners stay, because scripts and emoji need them.
const invisible = /(?![\u200C\u200D])\p{Cf}/gu;
// Control tokens of local models' templates, such as <|im_end|>, which end a message wherever they occur.
const controlTokens = /<\|(?=[a-z\d][a-z\d_-]{0,40}\|>)/giu;
const blanks = /[\p{Cc}\p{Z}]+/gu;
const seen = /[^\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
const lineBreaks = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u;

/** Untrusted text that cannot pass for a heading or an instruction of a prompt. `maxLength`: code points. */
export function singleLine(text: string, maxLength: number): string {
  const line = text.toWellFormed().replace(invisible, '').replace(controlTokens, '< |');
  return cut(line.replace(blanks, ' ').trim(), maxLength);
}

/** Removes characters that models read and people do not see, and breaks control tokens. */
export function withoutHidden(text: string): string {
  return text.replace(invisible, '').replace(hiddenRows, '').replace(controlTokens, '< |');
}

/** Whether a text has any visible character. */
export function isSeen(text: string): boolean {
  return seen.test(text);
}

/** Escapes closing tags in untrusted text. JSON values stay the same, because JSON may escape a slash. */
export function withoutEndOf(element: string, text: string): string {
  return text.replace(new RegExp(`<(\\s*)/(?=\\s*${element})`, 'giu'), '<$1\\/');
}

/** Untrusted text of several lines as a Markdown quotation. */
export function quotation(text: string, maxLength: number): string {
  return cut(text.toWellFormed().trim(), maxLength)
    .split(lineBreaks)
    .map((line) => `> ${singleLine(line, maxLength)}`.trimEnd())
    .join('\n');
}

/** The beginning of a text that fits, in UTF-16 units, with an ellipsis. */
export function shortened(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // Code points, not UTF-16 units: some providers refuse lone surrogates.
  const points = Array.from(text.slice(0, 2 * maxLength + 2));
  if (points.length <= maxLength) return text;
  return `${points
    .slice(0, maxLength - 1)
    .join('')
    .trimEnd()}…`;
}

/** Control characters that are not blanks. */
const controls = /[^\P{Cc}\t\n\v\f\r\u0085]/u;

/** Whether PostgreSQL can store the text (no NUL, no lone surrogates), and people can read it. */
export function isPlain(text: string): boolean {
  return text.isWellFormed() && !controls.test(text);
}

/** The form in which prompts show a text. It is stored like this, so that erasure finds it. */
export function plainLine(text: string): string {
  return withoutHidden(text).normalize('NFC').replace(blanks, ' ').trim();
}

/** How many times longer than allowed the raw text may be, with blanks and hidden characters. */
const SLACK = 20;

/** The schema of a text of at most `max` characters on one line. */
export function line(max: number) {
  return text(max, plainLine);
}

/** The schema of a text of at most `max` characters, without hidden characters. It keeps its lines. */
export function lines(max: number) {
  return text(max, (given) => withoutHidden(given).trim());
}

function text(max: number, clean: (given: string) => string) {
  const tooLong = `This must be at most ${max} characters long.`;
  return z
    .string('This must be text.')
    .refine((given) => given.length <= max * SLACK, { error: tooLong, abort: true })
    .refine(isPlain, { error: 'This holds characters that are not text.', abort: true })
    .transform(clean)
    .pipe(z.string().min(1, 'This must not be empty.').max(max, tooLong));
}
