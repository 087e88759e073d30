/** Collapses white space to single spaces. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\u00a0\u202f\u2007]+/g, ' ').trim();
}

/** The lines of a cell on one line. Numbers on two lines are kept apart: 12 500 and 300 are not 12 500 300. */
export function cellLine(text: string): string {
  return oneLine(text.replaceAll(/(?<=\d)\s*\n\s*(?=\d)/g, '; '));
}

/** Text as a Markdown paragraph. Marks at the beginning of lines are escaped. */
export function paragraph(text: string): string {
  return text
    .split('\n')
    .map((line) => oneLine(line).replace(/^(?=#{1,6}(?: |$)|```|~~~|\||>)/, '\\'))
    .filter((line) => line !== '')
    .join('\n');
}

/** `level` from 1; levels that Markdown does not have become its last. Empty if the text has no characters. */
export function heading(level: number, text: string): string {
  const line = oneLine(text);
  return line === '' ? '' : `${'#'.repeat(Math.min(Math.max(level, 1), 6))} ${line}`;
}

/**
 * Indents by four spaces per level, which suits both `-` and `1.`. `depth` from 0. Further lines of the item are
 * indented below its first.
 */
export function listItem(depth: number, marker: string, text: string): string {
  const [first, ...others] = paragraph(text).split('\n');
  if (first === undefined || first === '') return '';
  const indent = '    '.repeat(Math.min(depth, MAX_LIST_DEPTH));
  return [`${indent}${marker} ${first}`, ...others.map((line) => `${indent}    ${line}`)].join('\n');
}

const MAX_LIST_DEPTH = 8;

/** Markdown takes only numbers as item marks. Any other label becomes part of the text. */
export function numberedItem(depth: number, label: string, text: string): string {
  if (label === '-' || label === '') return listItem(depth, '-', text);
  return /^\d{1,9}[.)]$/.test(label)
    ? listItem(depth, label, text)
    : listItem(depth, '-', `${label} ${text.trimStart()}`);
}

/** A number without the noise of binary fractions: 0.30000000000000004 becomes 0.3. Null: not a number. */
export function plainNumber(value: string): string | null {
  const trimmed = value.trim();
  const number = Number(trimmed);
  if (trimmed === '' || !Number.isFinite(number)) return null;
  // Longer than a double can hold: the digits were typed, such as those of an account.
  if (/^[+-]?\d{16,}$/.test(trimmed)) return trimmed;
  const rounded = Number(number.toPrecision(15));
  return withoutExponent(Object.is(rounded, -0) ? 0 : rounded);
}

function withoutExponent(number: number): string {
  const text = String(number);
  if (!text.includes('e')) return text;
  const size = Math.abs(number);
  if (size >= 1e21 || size < 1e-15) return text;
  return number.toFixed(Math.min(20, 15 - Math.floor(Math.log10(size)))).replace(/\.?0+$/, '');
}
