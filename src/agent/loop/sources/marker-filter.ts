import { CodeMarks } from '@palabre/llm-client';

const blanks = ' \u00a0\u202f\u3000';
const opening = '[［【〔';
const closing = ']］】〕';
const digits = '0-9０-９';
const separators = ',，、;；&和與与及';

const blank = `[${blanks}]`;
/** No turn has sources with more digits: `[2024]` is not a marker. */
const number = `[${digits}]{1,3}`;
const dash = '[-\u2010-\u2015~～〜]';
/** `1`, `^1^` and `#1`, in the style of footnotes and issues, and `1-3`. */
const entry = String.raw`[\^#]?${number}(?:${blank}?${dash}${blank}?${number})?\^?`;
const separator = `${blank}?[${separators}]${blank}?`;
const mostNumbers = 16;
const labels = [
  'source',
  'sources',
  'fuente',
  'fuentes',
  '來源',
  '来源',
  '資料來源',
  '资料来源',
  '出處',
  '出处',
];
/** Suffixes that some models were trained to add to a number: `†source`, `†L3-L5`. */
const mostAdded = 60;
const added = String.raw`†[^\[\]［］【】〔〕\n]{0,${mostAdded}}`;
/** The length of the longest marker. */
const mostLength = mostNumbers * 12 + mostAdded;

/**
 * `[1]`, `[1, 2]`, `[1-3]`, `[^1]`, `【1】`, `【1†source】`, `［來源１］`, with the blank before, which is removed with the
 * marker. `【4:0†source】` has no number of ours.
 */
const markerAtEnd = new RegExp(
  String.raw`(${blank}?)[\[［【〔]${blank}?(?:(?:${labels.join('|')})${blank}?[:：]?${blank}?)?` +
    String.raw`(?:(${entry}(?:${separator}${entry}){0,${mostNumbers - 1}})${blank}?|${number}:${number}(?=†))(?:${added})?[\]］】〕]$`,
  'iu',
);
function begun(word: string): string {
  return [...word].reduceRight((rest, sign) => `${sign}(?:${rest})?`);
}
/** Any beginning of a marker, without its last character. */
const openAtEnd = new RegExp(
  String.raw`[\[［【〔]${blank}?(?:(?:${labels.map(begun).join('|')})${blank}?[:：]?)?` +
    String.raw`(?:[\^#~～〜:${digits}${separators}${blanks}\u2010-\u2015-]{0,${mostLength}}|[${digits}:^]{1,8}${added})$`,
  'iu',
);

const filteredMarker = /\[(\d+)\]/g;

/** The markers of a filtered text and their positions. `a[1]` in code does not count. */
export function markersIn(text: string): { index: number; marker: number }[] {
  const codes = new CodeMarks();
  let read = 0;
  return [...text.matchAll(filteredMarker)].flatMap(({ index, 0: whole, 1: digits }) => {
    for (const sign of text.slice(read, index + whole.length)) codes.read(sign);
    read = index + whole.length;
    return codes.isInside ? [] : [{ index, marker: Number(digits) }];
  });
}

/** A filtered text without its markers. */
export function unmarked(text: string): string {
  return text.replaceAll(filteredMarker, '');
}

const citedMarker = new RegExp(String.raw`${blank}?\[(\d+)\]`, 'gu');

/** An earlier answer without its citation markers, whose numbers mean other sources in another turn. */
export function withoutMarkers(text: string, cited: readonly { marker: number }[]): string {
  if (cited.length === 0) return text;
  const markers = new Set(cited.map(({ marker: number }) => number));
  return text.replace(citedMarker, (found, digits: string) => (markers.has(Number(digits)) ? '' : found));
}

/** Writes known markers as `[n]`. Works by character, so the cuts between pieces do not matter. */
export class MarkerFilter {
  /** Held text: beginnings of markers, perhaps nested. */
  private held = '';
  /** The line so far has only blanks and markers. */
  private isLineNew = true;
  /** A marker began the line. Followed by a colon, it would be a link definition in Markdown, which is not shown. */
  private isDefined = false;
  private readonly codes = new CodeMarks();

  constructor(private readonly isKnown: (marker: number) => boolean) {}

  /** The text that is ready. May be empty. */
  push(text: string): string {
    let told = '';
    for (const sign of text) told += this.take(sign);
    return told;
  }

  end(): string {
    const rest = this.held;
    this.held = '';
    if (rest.trim() !== '') this.isLineNew = false;
    return rest;
  }

  private take(sign: string): string {
    this.codes.read(sign);
    this.isDefined &&= sign === ':';
    if (this.codes.isInside) return this.end() + this.tell(sign);
    if (this.isDefined) return '';
    if (closing.includes(sign)) return this.close(sign);
    const goesOn = opening.includes(sign) || openAtEnd.test(this.held.slice(-mostLength) + sign);
    const told = goesOn ? '' : this.end();
    if (!goesOn && !blanks.includes(sign)) return told + this.tell(sign);
    this.held += sign;
    return told;
  }

  private close(sign: string): string {
    const found = markerAtEnd.exec(this.held + sign);
    const numbers = found && numbersOf(found[2] ?? '', this.isKnown);
    if (!found || !numbers) return this.end() + this.tell(sign);
    this.held = this.held.slice(0, found.index);
    this.isDefined = this.isLineNew && this.held.trim() === '';
    const known = numbers.filter((each) => this.isKnown(each));
    if (known.length === 0) return '';
    return this.end() + (found[1] ?? '') + known.map((each) => `[${each}]`).join('');
  }

  private tell(text: string): string {
    this.isLineNew = text === '\n';
    return text;
  }
}

const between = new RegExp(`[${separators}]`, 'u');

/** The numbers of a marker. Null: not a marker, as with `[0-5]` and `[20-30]`. */
function numbersOf(text: string, isKnown: (marker: number) => boolean): number[] | null {
  const entries = text.normalize('NFKC').split(between);
  const ranges = entries.map((each) => (each.match(/\d+/g) ?? []).map(Number));
  if (ranges.some(([from = 0, to]) => to !== undefined && !(from < to && isKnown(from) && isKnown(to))))
    return null;
  return ranges.flatMap(([from = 0, to = from]) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index),
  );
}
