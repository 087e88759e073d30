import type { PageText } from '../pieces/piece-text.js';

/** What is compared of a text: letters and digits, however they are written, and what makes a number another one. */
const compared = /[\p{L}\p{N}%‰€$£°]|(?<=\p{N})[.,/-](?=\p{N})/gu;

export const comparable = (text: string): string =>
  (text.normalize('NFKC').toLowerCase().match(compared) ?? []).join('');

/** A word or two may stand anywhere. */
const FEWEST = 6;

interface Part {
  page: number | null;
  start: number;
  end: number;
}

/** Tells whether words stand in a text, and where. Typography, marks of Markdown, breaks and blanks make no difference. */
export class QuoteFinder {
  private readonly text: string;
  private readonly parts: Part[] = [];

  constructor(pages: readonly PageText[]) {
    let text = '';
    for (const { page, text: own } of pages) {
      const start = text.length;
      text += comparable(own);
      this.parts.push({ page, start, end: text.length });
    }
    this.text = text;
  }

  /**
   * Where the quote stands, if it does on the page that is named for it; null: it does not. One for which no page is
   * named is given that of the first place where it stands.
   */
  find(quote: string, named: number | null): { page: number | null } | null {
    const wanted = comparable(quote);
    if (wanted.length < FEWEST) return null;
    for (let at = this.text.indexOf(wanted); at >= 0; at = this.text.indexOf(wanted, at + 1)) {
      const touched = this.parts.filter(({ start, end }) => start < at + wanted.length && end > at);
      const pages = touched.map(({ page }) => page);
      if (named === null || pages.every((page) => page === null)) return { page: pages[0] ?? null };
      if (pages.includes(named)) return { page: named };
    }
    return null;
  }
}

const digits = /\p{N}+/gu;

/** Whether all digits of a value stand in the words that are to show it, in their order. */
export const shows = (quote: string, value: string): boolean => {
  const wanted = comparable(value).match(digits);
  return (
    wanted !== null &&
    comparable(quote)
      .replaceAll(/[^\p{N}]/gu, '')
      .includes(wanted.join(''))
  );
};
