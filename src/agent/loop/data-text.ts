// Format characters can hide text from people and not from models. The joiners stay: scripts and emoji need them.
const invisible = /(?![\u200C\u200D])\p{Cf}/gu;
const blanks = /[\p{Cc}\p{Z}]+/gu;
const lineBreaks = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u;

/**
 * Somebody's data as one line of a prompt, so that it cannot pass for a heading or an instruction of its own.
 * `maxLength` counts code points; what is longer ends in an ellipsis.
 */
export function singleLine(text: string, maxLength: number): string {
  const line = text.toWellFormed().replace(invisible, '').replace(blanks, ' ').trim();
  return cut(line, maxLength);
}

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
