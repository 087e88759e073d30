import { fold } from './fold.js';

/** Scripts that write a blank, or nothing, between the letters and digits of a code. */
const LETTER = '\\p{sc=Latn}\\p{sc=Cyrl}\\p{sc=Grek}';

/** Thousands separated by the same sign throughout. Folding has made all blanks one. */
const DIVIDED_FIGURE = /(?<!\d)\d{1,3}([ .,'’٬])\d{3}(?:\1\d{3})*(?!\d)/g;
/** Longer runs of letters are words before a number. */
const DIVIDED_CODE = new RegExp(
  `(?<![${LETTER}\\d])([${LETTER}]{1,6})[ ./_–‐-](\\d+)(?![${LETTER}\\d])`,
  'gu',
);
const RUN = new RegExp(`[${LETTER}\\d]+`, 'gu');
/** Longer numbers are not figures that people read. */
const FIGURE = /^\d{4,15}$/;
const CODE = new RegExp(`^(?:([${LETTER}]+)(\\d+)|(\\d+)([${LETTER}]+))$`, 'u');
const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/** The most for a query. The rest of a longer one identifies the others. */
const MAX_REWRITINGS = 32;

/** A piece of a query, and its other spelling in texts. */
export interface Rewriting {
  own: string;
  other: string;
}

function joinFigures(folded: string): string {
  return folded.replaceAll(DIVIDED_FIGURE, (figure) => figure.replaceAll(/\D/g, ''));
}

/** A folded text: as it is, with its figures joined, and with figures and codes joined. */
export function joinedFormsOf(folded: string): string[] {
  const figures = joinFigures(folded);
  return [...new Set([folded, figures, figures.replaceAll(DIVIDED_CODE, '$1$2')])];
}

/**
 * Other spellings of a query's figures and codes that terms would not find: 1234567 as 1,234,567, ISO14001 as ISO
 * 14001, and the reverse.
 */
export function rewritingsOf(query: string): Rewriting[] {
  const folded = fold(query);
  const apart = (folded.match(RUN) ?? []).flatMap((own) => {
    if (FIGURE.test(own)) return [{ own, other: own.replaceAll(THOUSANDS, ' ') }];
    return CODE.test(own) ? [{ own, other: own.replace(CODE, '$1$3 $2$4') }] : [];
  });
  const figures = (folded.match(DIVIDED_FIGURE) ?? []).map((own) => ({ own, other: joinFigures(own) }));
  const codes = Array.from(folded.matchAll(DIVIDED_CODE), ([own, letters = '', digits = '']) => ({
    own,
    other: letters + digits,
  }));
  return [...apart, ...figures, ...codes].slice(0, MAX_REWRITINGS);
}
