import { CodeMarks } from '../../../common/code-marks.js';

const blanks = ' \u00a0\u202f\u3000';
const opening = '[［【〔';
const closing = ']］】〕';
const digits = '0-9０-９';
const separators = ',，、;；';

const blank = `[${blanks}]`;
/** More digits than a turn can have sources: `[2024]` is no marker. */
const number = `[${digits}]{1,3}`;
const separator = `${blank}?[${separators}]${blank}?`;
const mostNumbers = 16;
/** As much as the longest marker holds. */
const mostLength = mostNumbers * 12;

/** `[1]`, `[1, 2]`, `【1】`, `［１］`, with the blank before it, which is to go with a marker that goes. */
const markerAtEnd = new RegExp(
  String.raw`(${blank}?)[\[［【〔]${blank}?(${number}(?:${separator}${number}){0,${mostNumbers - 1}})${blank}?[\]］】〕]$`,
  'u',
);
/** The beginning of one, but for its last sign. */
const openAtEnd = new RegExp(String.raw`[\[［【〔][${digits}${separators}${blanks}]{0,${mostLength}}$`, 'u');
const insideMarker = new RegExp(`[${digits}${separators}${blanks}]`, 'u');

/** A marker in the text, once filtered. */
const filteredMarker = /\[(\d+)\]/g;

/** The markers of a text that was filtered, and where they stand; `a[1]` in code is none. */
export const markersIn = (text: string): { index: number; marker: number }[] => {
  const codes = new CodeMarks();
  let read = 0;
  return [...text.matchAll(filteredMarker)].flatMap(({ index, 0: whole, 1: digits }) => {
    for (const sign of text.slice(read, index + whole.length)) codes.read(sign);
    read = index + whole.length;
    return codes.isInside ? [] : [{ index, marker: Number(digits) }];
  });
};

/** A text that was filtered, without its markers. */
export const unmarked = (text: string): string => text.replaceAll(filteredMarker, '');

const citedMarker = new RegExp(String.raw`${blank}?\[(\d+)\]`, 'gu');

/** An earlier answer without the markers that it cites by: in another turn they are other sources' numbers. */
export const withoutMarkers = (text: string, cited: readonly { marker: number }[]): string => {
  if (cited.length === 0) return text;
  const markers = new Set(cited.map(({ marker: number }) => number));
  return text.replace(citedMarker, (found, digits: string) => (markers.has(Number(digits)) ? '' : found));
};

/**
 * Takes markers of unknown sources out of a text that comes in pieces, and writes all others as `[n]`, one by one. What
 * becomes a marker only when another one goes, as in `[[9]7]`, is one too; what is shown as code stays as it is. However the text is cut into pieces, what
 * comes out is the same: it is looked at sign by sign.
 */
export class MarkerFilter {
  /** What is not told yet: beginnings of markers, one inside the other. */
  private held = '';
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
    return rest;
  }

  private take(sign: string): string {
    this.codes.read(sign);
    if (this.codes.isInside) return this.end() + sign;
    if (closing.includes(sign)) return this.close(sign);
    const goesOn = opening.includes(sign) || (this.isOpen && insideMarker.test(sign));
    const told = goesOn ? '' : this.end();
    if (!goesOn && !blanks.includes(sign)) return told + sign;
    this.held += sign;
    return told;
  }

  private get isOpen(): boolean {
    return openAtEnd.test(this.held.slice(-mostLength - 1));
  }

  private close(sign: string): string {
    const found = markerAtEnd.exec(this.held + sign);
    if (!found) return this.end() + sign;
    const [, before = '', numbers = ''] = found;
    this.held = this.held.slice(0, found.index);
    const known = numbersOf(numbers).filter((each) => this.isKnown(each));
    return known.length === 0 ? '' : this.end() + before + known.map((each) => `[${each}]`).join('');
  }
}

const numbersOf = (text: string): number[] =>
  text
    .normalize('NFKC')
    .split(/[^\d]+/)
    .filter((digits) => digits !== '')
    .map(Number);
