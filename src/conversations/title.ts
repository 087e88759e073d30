import { isSeen, withoutHidden } from '../common/text/data-text.js';

const LONGEST = 80;

/** A grapheme may be of any length; a title of more code units than this is not worth reading to its end. */
const LONGEST_IN_UNITS = 20 * LONGEST;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * A title from the first question: the first line of which people see anything, cut at a word within 80 characters as
 * they count them.
 */
export const titleOf = (question: string): string => {
  const first = question.split(/[\r\n]+/).find(isSeen) ?? '';
  const line = withoutHidden(first).replaceAll(/\s+/g, ' ').trim();
  const beginning = line.slice(0, LONGEST_IN_UNITS);
  const graphemes = Array.from(segmenter.segment(beginning), ({ segment }) => segment);
  if (graphemes.length <= LONGEST && beginning === line) return line;
  // One more than there is room for: a word that ends right there is whole.
  const lastSpace = graphemes.slice(0, LONGEST).lastIndexOf(' ');
  // Chinese and Japanese have no spaces, and a single long word leaves no better place.
  const end = lastSpace > LONGEST / 2 ? lastSpace : LONGEST - 1;
  return `${graphemes.slice(0, end).join('').toWellFormed()}…`;
};
