// Format characters can hide text from people and not from models. The joiners stay: scripts and emoji need them.
const invisible = /(?![\u200C\u200D])\p{Cf}/gu;
// Joiners and variation selectors stand alone or in twos; whole rows of them spell out hidden words.
const hiddenRows = /(?:\p{Join_Control}|\p{Variation_Selector}){3,}/gu;
// What the templates of some local models take for the end of a message, such as <|im_end|>, wherever it stands.
const controlTokens = /<\|(?=[a-z\d][a-z\d_-]{0,40}\|>)/giu;
const blanks = /[\p{Cc}\p{Z}]+/gu;
const seen = /[^\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
const lineBreaks = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u;

/**
 * Somebody's data as one line of a prompt, so that it cannot pass for a heading or an instruction of its own.
 * `maxLength` counts code points; what is longer ends in an ellipsis.
 */
export function singleLine(text: string, maxLength: number): string {
  const line = text.toWellFormed().replace(invisible, '').replace(controlTokens, '< |');
  return cut(line.replace(blanks, ' ').trim(), maxLength);
}

/** A text without what people do not see of it and models read, nor what models take for more than text. */
export const withoutHidden = (text: string): string =>
  text.replace(invisible, '').replace(hiddenRows, '').replace(controlTokens, '< |');

/** Whether people see anything of a text: not of blanks, nor of what only joins or shapes other characters. */
export const isSeen = (text: string): boolean => seen.test(text);

/**
 * Somebody's text, in which nothing ends an element of this name that it stands in. In JSON the value stays the same:
 * a stroke may be escaped there.
 */
export const withoutEndOf = (element: string, text: string): string =>
  text.replace(new RegExp(`<(\\s*)/(?=\\s*${element})`, 'giu'), '<$1\\/');

/** Somebody's text of several lines as a Markdown quotation, for the same reason. */
export function quotation(text: string, maxLength: number): string {
  return cut(text.toWellFormed().trim(), maxLength)
    .split(lineBreaks)
    .map((line) => `> ${singleLine(line, maxLength)}`.trimEnd())
    .join('\n');
}

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // Code points, not units: half a surrogate pair is refused by some providers.
  const points = Array.from(text.slice(0, 2 * maxLength + 2));
  if (points.length <= maxLength) return text;
  return `${points
    .slice(0, maxLength - 1)
    .join('')
    .trimEnd()}…`;
}
