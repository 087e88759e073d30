import { cutAtWord, isSeen, withoutHidden } from '@palabre/text';

/** For a title that people give. */
export const MAX_TITLE_CHARACTERS = 200;

const LONGEST = 80;

/** A grapheme can have any number of code units, so the input is cut before it is segmented. */
const LONGEST_IN_UNITS = 20 * LONGEST;

/** Its first visible line, cut at a word boundary within 80 graphemes. */
export function titleOf(question: string): string {
  const first = question.split(/[\r\n]+/).find(isSeen) ?? '';
  const line = withoutHidden(first).replaceAll(/\s+/g, ' ').trim();
  const beginning = line.slice(0, LONGEST_IN_UNITS);
  return cutAtWord(beginning, LONGEST, { sizeOf: () => 1, hasMore: beginning !== line });
}
