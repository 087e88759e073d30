import { CodeMarks } from '@palabre/llm-client';

const blanks = ' \u00a0\u202f\u3000';
const opening = '[［【〔';
const closing = ']］】〕';
const digits = '0-9０-９';
const separators = ',，、;；&和與与及';

const blank = `[${blanks}]`;
/** More digits than a turn can have sources: `[2024]` is no marker. */
const number = `[${digits}]{1,3}`;
const dash = '[-\u2010-\u2015~～〜]';
/** `1`, `^1^` and `#1`, as footnotes and issues are written, and `1-3`. */
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
/** What models that were trained on it add to a number: `†source`, `†L3-L5`. */
const mostAdded = 60;
const added = String.raw`†[^\[\]［］【】〔〕\n]{0,${mostAdded}}`;
/** As much as the longest marker holds. */
const mostLength = mostNumbers * 12 + mostAdded;

/**
 * `[1]`, `[1, 2]`, `[1-3]`, `[^1]`, `【1】`, `【1†source】`, `［來源１］`, with the blank before it, which is to go with a marker
 * that goes. `【4:0†source】` has no number of ours.
 */
const markerAtEnd = new RegExp(
  String.raw`(${blank}?)[\[［【〔]${blank}?(?:(?:${labels.join('|')})${blank}?[:：]?${blank}?)?` +
    String.raw`(?:(${entry}(?:${separator}${entry}){0,${mostNumbers - 1}})${blank}?|${number}:${number}(?=†))(?:${added})?[\]］】〕]$`,
  'iu',
);
function begun(word: string): string {
  return [...word].reduceRight((rest, sign) => `${sign}(?:${rest})?`);
}
/** The beginning of one, but for its last sign. */
const openAtEnd = new RegExp(
  String.raw`[\[［【〔]${blank}?(?:(?:${labels.map(begun).join('|')})${blank}?[:：]?)?` +
    String.raw`(?:[\^#~～〜:${digits}${separators}${blanks}\u2010-\u2015-]{0,${mostLength}}|[${digits}:^]{1,8}${added})$`,
  'iu',
);

const filteredMarker = /\[(\d+)\]/g;

/** The markers of a text that was filtered, and where they stand; `a[1]` in code is none. */
export function markersIn(text: string): { index: number; marker: number }[] {
  const codes = new CodeMarks();
  let read = 0;
  return [...text.matchAll(filteredMarker)].flatMap(({ index, 0: whole, 1: digits }) => {
    for (const sign of text.slice(read, index + whole.length)) codes.read(sign);
    read = index + whole.length;
    return codes.isInside ? [] : [{ index, marker: Number(digits) }];
  });
}

/** A text that was filtered, without its markers. */
export function unmarked(text: string): string {
  return text.replaceAll(filteredMarker, '');
}

const citedMarker = new RegExp(String.raw`${blank}?\[(\d+)\]`, 'gu');

/** An earlier answer without the markers that it cites by: in another turn they are other sources' numbers. */
export function withoutMarkers(text: string, cited: readonly { marker: number }[]): string {
  if (cited.length === 0) return text;
  const markers = new Set(cited.map(({ marker: number }) => number));
  return text.replace(citedMarker, (found, digits: string) => (markers.has(Number(digits)) ? '' : found));
}

/** Writes known markers as `[n]`. Looks sign by sign, so that it does not matter how the text is cut into pieces. */
export class MarkerFilter {
  /** What is not told yet: beginnings of markers, one inside the other. */
  private held = '';
  /** Nothing but blanks and markers was told of the line. */
  private isLineNew = true;
  /** A marker that begins a line was taken: with a colon behind it, Markdown would define a link by it, and not show the line. */
  private isDefined = false;
  private readonly codes = new CodeMarks();

  constructor(private readonly isKnown: (marker: number) => boolean) {}

  /** What can be told by now; may be empty. */
  push(text: string): string {
    let told = '';
    for (const sign of text) told += this.take(sign);
    return told;
  }

  /** The rest, when nothing more comes. */
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
    const goesOn = opening.includes(sign) || this.goesOnWith(sign);
    const told = goesOn ? '' : this.end();
    if (!goesOn && !blanks.includes(sign)) return told + this.tell(sign);
    this.held += sign;
    return told;
  }

  private goesOnWith(sign: string): boolean {
    return openAtEnd.test(this.held.slice(-mostLength) + sign);
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

/** The numbers of a marker; null where it is none: `[0-5]` and `[20-30]` are figures. */
function numbersOf(text: string, isKnown: (marker: number) => boolean): number[] | null {
  const entries = text.normalize('NFKC').split(between);
  const ranges = entries.map((each) => (each.match(/\d+/g) ?? []).map(Number));
  if (ranges.some(([from = 0, to]) => to !== undefined && !(from < to && isKnown(from) && isKnown(to)))) {
    return null;
  }
  return ranges.flatMap(([from = 0, to = from]) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index),
  );
}
