const blank = String.raw`[ \u00a0\u202f\u3000]`;
const number = '[0-9０-９]{1,9}';
const separator = `${blank}?[,，、;；]${blank}?`;
const mostNumbers = 16;

/** `[1]`, `[1, 2]`, `【1】`, `［１］`, with the blank before it, which is to go with a marker that goes. */
const marker = new RegExp(
  String.raw`(${blank}?)[\[［【]${blank}?(${number}(?:${separator}${number}){0,${mostNumbers - 1}})${blank}?[\]］】]`,
  'gu',
);
/** What may become a marker with what comes next. It holds as much as the longest marker does, but for its end. */
const beginning = new RegExp(
  String.raw`${blank}?(?:[\[［【][0-9０-９,，、;； \u00a0\u202f\u3000]{0,${mostNumbers * 12}})?$`,
  'u',
);

/** A marker in the text, once filtered. */
export const filteredMarker = /\[(\d+)\]/g;

/**
 * Takes markers of unknown sources out of a text that comes in pieces, and writes all others as `[n]`, one by one.
 * However the text is cut into pieces, what comes out is the same.
 */
export class MarkerFilter {
  /** What is not told yet: it may be the beginning of a marker. */
  private held = '';

  constructor(private readonly isKnown: (marker: number) => boolean) {}

  /** What can be told by now; may be empty. */
  push(text: string): string {
    const waiting = this.held + text;
    const end = waiting.search(beginning);
    this.held = waiting.slice(end);
    return this.filtered(waiting.slice(0, end));
  }

  /** The rest, when nothing more comes. */
  end(): string {
    const rest = this.held;
    this.held = '';
    return rest;
  }

  private filtered(text: string): string {
    return text.replace(marker, (_, before: string, numbers: string) => {
      const known = numbersOf(numbers).filter((each) => this.isKnown(each));
      return known.length === 0 ? '' : before + known.map((each) => `[${each}]`).join('');
    });
  }
}

const numbersOf = (text: string): number[] =>
  text
    .normalize('NFKC')
    .split(/[^\d]+/)
    .filter((digits) => digits !== '')
    .map(Number);
