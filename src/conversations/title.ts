import { isSeen, withoutHidden } from '@palabre/text';

/** Of one that people give. */
export const MAX_TITLE_CHARACTERS = 200;

const LONGEST = 80;

/** A grapheme can have any number of code units, so the input is cut before it is segmented. */
const LONGEST_IN_UNITS = 20 * LONGEST;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Its first visible line, cut at a word boundary within 80 graphemes. */
export function titleOf(question: string): string {
  const first = question.split(/[\r\n]+/).find(isSeen) ?? '';
  const line = withoutHidden(first).replaceAll(/\s+/g, ' ').trim();
  const beginning = line.slice(0, LONGEST_IN_UNITS);
  const graphemes = Array.from(segmenter.segment(beginning), ({ segment }) => segment);
  if (graphemes.length <= LONGEST && beginning === line) return line;
  // Looks one grapheme further than fits: a word that ends right there is whole.
  const lastSpace = graphemes.slice(0, LONGEST).lastIndexOf(' ');
  // Without a space in the second half (Chinese, Japanese, one long word) it is cut anywhere.
  const end = lastSpace > LONGEST / 2 ? lastSpace : LONGEST - 1;
  return `${graphemes.slice(0, end).join('').toWellFormed()}…`;
}
