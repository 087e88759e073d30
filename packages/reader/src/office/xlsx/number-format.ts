import { addLocale, format as display, getFormatDateInfo, getFormatInfo } from 'numfmt';

import { oneLine, plainNumber } from '../markdown/text.js';

/** A decimal point and no thousands separators, whatever the language of the workbook. */
const LOCALE = 'und';
addLocale({ group: '', decimal: '.' }, LOCALE);

const MAX_LENGTH = 500;

/** A value as a workbook displays it. Only numbers are formatted: a text may look like one. */
export function shownAs(value: string, format: string, is1904: boolean): string {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) return oneLine(value);
  return format === '' || format === 'General' ? plain(value) : formatted(number, format, is1904);
}

/**
 * A number as a workbook displays it, but in the same way for every language: dates as 2024-05-31, a decimal point, no
 * thousands separators, and all digits where an exponent or a fraction is displayed.
 */
export function formatted(value: number, format: string, is1904: boolean): string {
  const pattern = withoutLocales(format.slice(0, MAX_LENGTH));
  const { type, isDate } = getFormatInfo(pattern);
  // Values that a format hides or fails on are still displayed.
  if (type === 'error') return plain(String(value));
  const text = isDate ? dateText(value, pattern, is1904) : numberText(value, withAllDigits(pattern));
  return text.replaceAll(/\s+/g, ' ').trim() || plain(String(value));
}

function numberText(value: number, pattern: string): string {
  const text = displayed(value, pattern).replace(/(\d)\.(?!\d)/, '$1');
  // A format that marks negative numbers only by colour.
  const isUnsigned = value < 0 && withoutDigits(text) === withoutDigits(displayed(-value, pattern));
  return isUnsigned && /\d/.test(text) ? `-${text.trim()}` : text;
}

function withoutDigits(text: string): string {
  return text.replaceAll(/[\d.]/g, '');
}

function dateText(value: number, pattern: string, is1904: boolean): string {
  const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(pattern);
  const time = `:mm${seconds ? ':ss' : ''}`;
  if (/\[[hms]+\]/i.test(pattern)) return displayed(value, `[h]${time}`);
  const isTime = hours || minutes || seconds;
  const date = day ? 'yyyy-mm-dd' : year ? (month ? 'yyyy-mm' : 'yyyy') : month && !isTime ? 'mm' : '';
  return displayed(value + (is1904 ? 1_462 : 0), `${date}${isTime ? ` hh${time}` : ''}`);
}

function displayed(value: number, pattern: string): string {
  return display(pattern, value, { locale: LOCALE, dateSpanLarge: false });
}

function plain(value: string): string {
  return plainNumber(value) ?? value;
}

/** `[$€-40C]` is a sign with its author's language. */
function withoutLocales(format: string): string {
  return format.replaceAll(/\[\$([^\]-]*)[^\]]*\]/g, '"$1"');
}

/** Exponents, fractions and « General » round too much for a search. */
function withAllDigits(pattern: string): string {
  return pattern.replaceAll(
    /("[^"]*"|\\.|[_*].)|general|[0#?.,]+e[+-][0#?]+|(?:[0#?]+ +)?[0#?]+\/[0#?\d]+/gis,
    (_, literal?: string) => literal ?? '0.##############',
  );
}
