import { fold } from './fold.js';

/** Of scripts that put a blank, or nothing, between the letters and the digits of a code. */
const LETTER = '\\p{sc=Latn}\\p{sc=Cyrl}\\p{sc=Grek}';

/** Thousands apart, by the same sign throughout; folded, so that blanks of all widths are one. */
const DIVIDED_FIGURE = /(?<!\d)\d{1,3}([ .,'’٬])\d{3}(?:\1\d{3})*(?!\d)/g;
/** Longer letters are words that happen to stand before a number. */
const DIVIDED_CODE = new RegExp(
  `(?<![${LETTER}\\d])([${LETTER}]{1,6})[ ./_–‐-](\\d+)(?![${LETTER}\\d])`,
  'gu',
);
const RUN = new RegExp(`[${LETTER}\\d]+`, 'gu');
/** Longer ones are no figures that people read. */
const FIGURE = /^\d{4,15}$/;
const CODE = new RegExp(`^(?:([${LETTER}]+)(\\d+)|(\\d+)([${LETTER}]+))$`, 'u');
const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/** Of a query. The others of a longer one are known by the rest of it. */
const MAX_REWRITINGS = 32;

/** A piece of a query, and the same as it may be written in a text. */
export interface Rewriting {
  own: string;
  other: string;
}

function joinFigures(folded: string): string {
  return folded.replaceAll(DIVIDED_FIGURE, (figure) => figure.replaceAll(/\D/g, ''));
}

/** A folded text as it is, with its figures in one piece, and with its codes so too. */
export function joinedFormsOf(folded: string): string[] {
  const figures = joinFigures(folded);
  return [...new Set([folded, figures, figures.replaceAll(DIVIDED_CODE, '$1$2')])];
}

/**
 * The figures and codes of a query that terms would not find written otherwise: 1234567 as 1,234,567, ISO14001 as
 * ISO 14001, and the other way round.
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
