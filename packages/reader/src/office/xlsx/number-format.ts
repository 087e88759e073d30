import { plainNumber } from '../markdown/text.js';
import { masked, type MaskPart, maskOf, zerosOf } from './number-mask.js';

/** A parsed number format, without colours, widths and thousands separators. */
interface Shape {
  /** `text`: literal text only, such as « oui » for 1. */
  kind: 'plain' | 'number' | 'date' | 'text';
  /** The minimum number of digits before the point. */
  whole: number;
  /** Digits after the point. */
  decimals: { least: number; most: number };
  /** The factor of the value: 100 with a percent sign, 0.001 if it is displayed in thousands. */
  scale: number;
  before: string;
  after: string;
  /** The format itself marks negative numbers, by a sign or brackets. */
  isSigned: boolean;
  date: DateParts;
  /** The positions of the digits, for numbers that are names, such as telephone numbers; null: it is a quantity. */
  mask: readonly MaskPart[] | null;
}

interface DateParts {
  year: boolean;
  month: boolean;
  day: boolean;
  time: boolean;
  seconds: boolean;
  /** Hours may exceed 24. */
  isDuration: boolean;
}

const noDate: DateParts = {
  year: false,
  month: false,
  day: false,
  time: false,
  seconds: false,
  isDuration: false,
};

const shapes = new Map<string, Shape>();
const MAX_SHAPES = 1_000;

const DAY_SECONDS = 86_400;
const LAST_SERIAL = 2_958_466;

/**
 * Formats a number in the same way for every locale: dates as 2024-05-31, a decimal point, no thousands separators.
 */
export function formatted(value: number, format: string, is1904: boolean): string {
  const sections = sectionsOf(format);
  const section = sectionFor(value, sections);
  const [first = ''] = sections;
  const own = shapeOf(section, section !== first || (value < 0 && CONDITION.test(section)));
  if (own.kind === 'text') return own.before.trim();
  const shape = /[0#?]|[ymdhs]|general/i.test(section) ? own : shapeOf(first, false);
  if (shape.kind === 'date') return dateText(value, shape.date, is1904) ?? plain(value);
  const digits = digitsOf(Math.abs(value) * shape.scale, shape);
  const isTold = value < 0 && section === sections[1] && isToldByMark(own, shapeOf(first, false));
  return `${value < 0 && !isTold ? '-' : ''}${shape.before}${digits}${shape.after}`.trim();
}

function digitsOf(size: number, { kind, decimals, mask, whole }: Shape): string {
  if (kind === 'plain') return plain(size);
  const number = decimalsOf(size, decimals);
  return (mask && masked(number, mask)) ?? padded(number, whole);
}

/** Some formats mark negative numbers by a symbol instead of a sign, such as « ▼ ». */
function isToldByMark(negative: Shape, positive: Shape): boolean {
  return !negative.isSigned && negative.before.trim() !== '' && negative.before !== positive.before;
}

function plain(value: number): string {
  return plainNumber(String(value)) ?? String(value);
}

function decimalsOf(value: number, { least, most }: Shape['decimals']): string {
  const exact = Number(value.toPrecision(15));
  if (exact >= 1e21) return plain(exact);
  const [whole = '', decimals = ''] = rounded(exact, Math.min(most, 20)).split('.');
  const kept = decimals.slice(0, least) + decimals.slice(least).replace(/0+$/, '');
  return kept === '' ? whole : `${whole}.${kept}`;
}

function padded(number: string, whole: number): string {
  const point = number.indexOf('.');
  return number.padStart(point === -1 ? whole : whole + number.length - point, '0');
}

/** Rounds half up in decimal: the double for 1.005 is slightly less than that. */
function rounded(value: number, decimals: number): string {
  const moved = Math.round(Number(`${value}e${decimals}`));
  return Number.isSafeInteger(moved)
    ? Number(`${moved}e-${decimals}`).toFixed(decimals)
    : value.toFixed(decimals);
}

/** Splits at semicolons outside of quotes. */
function sectionsOf(format: string): string[] {
  const sections = [''];
  for (const [token] of format.slice(0, 500).matchAll(/"[^"]*"?|\\.|\[[^\]]*\]|;|[^"\\[;]+|./gs))
    if (token === ';') sections.push('');
    else sections[sections.length - 1] += token;
  return sections;
}

const CONDITION = /^(?:\[[^\]<>=]*\])*\[(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)\]/;

/** Selects the section by its condition, or else by the sign of the value. */
function sectionFor(value: number, sections: readonly string[]): string {
  if (sections.some((section) => CONDITION.test(section)))
    return sections.find((section) => holds(value, CONDITION.exec(section))) ?? '';
  return (value < 0 ? sections[1] : value === 0 ? sections[2] : undefined) ?? sections[0] ?? '';
}

function holds(value: number, condition: RegExpExecArray | null): boolean {
  if (condition === null) return true;
  const limit = Number(condition[2]);
  const signs = { '<': value < limit, '=': value === limit, '>': value > limit };
  return Object.entries(signs).some(([sign, isTrue]) => isTrue && condition[1]?.includes(sign));
}

/** `isOther`: it is the section for negative numbers or zero. */
function shapeOf(section: string, isOther: boolean): Shape {
  const key = `${isOther ? ';' : ''}${section}`;
  const known = shapes.get(key);
  if (known) return known;
  const shape = shapeOfTokens(section, isOther);
  if (shapes.size < MAX_SHAPES) shapes.set(key, shape);
  return shape;
}

/** Placeholders of the number. */
const NUMBER = /[0#?@]|general/i;

function shapeOfTokens(section: string, isOther: boolean): Shape {
  // `_` is a space of a character's width, `*` fills with one, brackets hold colours, conditions or currencies.
  const tokens = [
    ...section.matchAll(
      /"([^"]*)"?|\\(.)|[_*].?|\[\$([^\]-]*)[^\]]*\]|\[(h+|m+|s+)\]|\[[^\]]*\]|[^"\\_*[]/gis,
    ),
  ];
  let [before, code, after] = ['', '', ''];
  for (const [token, quoted, escaped, currency, elapsed] of tokens) {
    const literal = quoted ?? escaped ?? currency ?? (/^[\p{Sc}%\s]$/u.test(token) ? token : undefined);
    if (elapsed !== undefined) code += `[${elapsed}`;
    else if (literal !== undefined) {
      if (NUMBER.test(code)) after += literal;
      else before += literal;
      if (token === '%') code += token;
    } else if (token.length === 1) code += token;
  }
  const shape = shapeOfCode(code);
  const unmasked = { ...shape, mask: null, isSigned: false };
  if (code === '' && /\p{L}/u.test(before)) return { ...unmasked, kind: 'text', before, after };
  if (!NUMBER.test(code)) return { ...unmasked, before: '', after: '' };
  const parts = tokens.map(maskPartOf);
  const isWhole = shape.kind === 'number' && /^[^.,%]*$/.test(code);
  const mask = isWhole ? maskOf(parts) : null;
  // The text between digits is part of a mask. For a quantity it follows the digits.
  const behind = parts.slice(parts.findLastIndex(({ isDigit }) => isDigit) + 1).map(({ text }) => text);
  const words = { before, after: (mask ? behind.join('') : after).replaceAll(/\s+/g, ' ') };
  const bare = isOther ? withoutSign(words) : words;
  const isSigned = /[-(]/.test(code) || bare.before !== words.before || bare.after !== words.after;
  return { ...shape, mask, isSigned, ...bare };
}

/** The number gets its own sign, so the section's is removed. */
function withoutSign({ before, after }: Pick<Shape, 'before' | 'after'>): Pick<Shape, 'before' | 'after'> {
  return {
    before: before.replace(/^\s*[-−–(]+\s*/, '').replace(/[-−–(]+\s*$/, ''),
    after: after.includes('(') ? after : after.replace(/[-−–)]+\s*$/, ''),
  };
}

function maskPartOf([token, quoted, escaped]: RegExpMatchArray): MaskPart {
  const isHidden = token.length > 1 && quoted === undefined && escaped === undefined;
  return { text: quoted ?? escaped ?? (isHidden ? '' : token), isDigit: /^[0#?]$/.test(token) };
}

function shapeOfCode(code: string): Omit<Shape, 'before' | 'after' | 'mask' | 'isSigned'> {
  const percents = code.split('%').length - 1;
  const none = { whole: 1, decimals: { least: 0, most: 0 }, scale: 100 ** percents, date: noDate };
  if (/general|@/i.test(code) || code === '') return { ...none, kind: 'plain' };
  // A plain number is easier to read and to find than an exponent or a fraction.
  if (/e[+-]/i.test(code) || /[?#0]\/[?#0\d]/.test(code)) return { ...none, kind: 'plain' };
  if (/[ymdhsegb]/i.test(code)) return { ...none, kind: 'date', date: datePartsOf(code) };
  if (!/[0#?]/.test(code)) return { ...none, kind: 'plain' };
  const decimals = /\.([0#?]*)/.exec(code)?.[1] ?? '';
  const thousands = /[0#?](,+)(?:\.|[^0#?,.]*$)/.exec(code)?.[1]?.length ?? 0;
  const [whole = ''] = code.split('.');
  return {
    kind: 'number',
    whole: whole.includes(',') ? 1 : zerosOf(whole.replaceAll(/[^0#?]/g, '')),
    decimals: { least: decimals.replaceAll(/[^0]/g, '').length, most: decimals.length },
    scale: 100 ** percents / 1000 ** thousands,
    date: noDate,
  };
}

function datePartsOf(code: string): DateParts {
  const letters = code
    .toLowerCase()
    .replaceAll(/am\/pm|a\/p|上午\/下午/g, '')
    .match(/\[?([ymdhsegb])\1*/g);
  const parts = { ...noDate };
  for (const [index, letter] of (letters ?? []).entries()) {
    const kind = letter.replace('[', '').charAt(0);
    const isMinutes =
      /^\[?h/.test(letters?.[index - 1] ?? '') ||
      /^\[?s/.test(letters?.[index + 1] ?? '') ||
      letter[0] === '[';
    if (letter.startsWith('[')) parts.isDuration = true;
    if (kind === 'd') parts.day = true;
    else if (kind === 'h' || kind === 's' || (kind === 'm' && isMinutes)) {
      parts.time = true;
      parts.seconds ||= kind === 's';
    } else if (kind === 'm') parts.month = true;
    else parts.year = true;
  }
  return parts;
}

function dateText(serial: number, parts: DateParts, is1904: boolean): string | null {
  const seconds = Math.round((serial + (is1904 && !parts.isDuration ? 1_462 : 0)) * DAY_SECONDS);
  if (!Number.isFinite(serial)) return null;
  if (parts.isDuration) return timeText(seconds, parts.seconds);
  if (seconds < 0 || seconds >= LAST_SERIAL * DAY_SECONDS) return null;
  const texts: string[] = [];
  if (parts.year || parts.month || parts.day) texts.push(dayText(Math.floor(seconds / DAY_SECONDS), parts));
  if (parts.time) texts.push(timeText(seconds % DAY_SECONDS, parts.seconds));
  return texts.join(' ');
}

function dayText(serial: number, { month, day }: DateParts): string {
  // Lotus took 1900 for a leap year, and all spreadsheets count that day.
  const date = serial === 60 ? '1900-02-29' : isoDay(serial < 60 ? serial + 1 : serial);
  if (day) return date;
  return month ? date.slice(0, 7) : date.slice(0, 4);
}

function isoDay(serial: number): string {
  return new Date(Date.UTC(1899, 11, 30) + serial * DAY_SECONDS * 1000).toISOString().slice(0, 10);
}

function timeText(seconds: number, withSeconds: boolean): string {
  const size = Math.abs(seconds);
  const two = (count: number): string => String(Math.floor(count)).padStart(2, '0');
  const text = `${two(size / 3600)}:${two((size / 60) % 60)}${withSeconds ? `:${two(size % 60)}` : ''}`;
  return seconds < 0 ? `-${text}` : text;
}
