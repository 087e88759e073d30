const MOST_CHARACTERS = 40_000;

/** Longer than any word, or any row of marks that a person means something by. */
const LONGEST_WORD = 200;
const LONGEST_ROW = 60;

/** Chinese is written without blanks. */
const longWords = new RegExp(
  `((?:(?!\\p{Script=Han})[\\p{L}\\p{M}\\p{N}]){${LONGEST_WORD}})(?:(?!\\p{Script=Han})[\\p{L}\\p{M}\\p{N}])+`,
  'gu',
);
const longBlanks = new RegExp(`(\\s{${LONGEST_ROW}})\\s+`, 'gu');
const longRows = new RegExp(`((.)\\2{${LONGEST_ROW}})\\2+`, 'gsu');

/**
 * What is read of a text that somebody has sent: its beginning and its end where it is very long, and of rows without
 * end of one mark, of blanks or of letters the beginning alone. Patterns that look for something in such a row, from each
 * of its places anew, would keep the process busy for minutes.
 */
export const legible = (text: string): string => {
  const ends =
    text.length <= MOST_CHARACTERS
      ? text
      : `${text.slice(0, MOST_CHARACTERS / 2)}\n${text.slice(-MOST_CHARACTERS / 2)}`.toWellFormed();
  return ends.replace(longBlanks, '$1').replace(longRows, '$1').replace(longWords, '$1');
};
