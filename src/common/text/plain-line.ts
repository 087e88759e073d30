import { z } from 'zod';

import { withoutHidden } from './data-text.js';

const blanks = /[\p{Cc}\p{Z}]+/gu;
/** All control characters but those that are blanks. */
const controls = /[^\P{Cc}\t\n\v\f\r\u0085]/u;

/** What PostgreSQL can store (no NUL, no half of a character) and people can read. */
export const isPlain = (text: string): boolean => text.isWellFormed() && !controls.test(text);

/**
 * A text as one line without anything hidden: it is told to models word for word, and found there word for word when it
 * has to be erased.
 */
export const plainLine = (text: string): string =>
  withoutHidden(text).normalize('NFC').replace(blanks, ' ').trim();

/** What a text may be longer by before blanks and hidden characters are taken out: it may be as long as a request. */
const SLACK = 20;

/** Checks a text of at most `most` characters, and makes one line of it. */
export const line = (most: number) => text(most, plainLine);

/** Checks a text of at most `most` characters, and takes out what is hidden. Its lines stay. */
export const lines = (most: number) => text(most, (given) => withoutHidden(given).trim());

const text = (most: number, cleaned: (given: string) => string) => {
  const tooLong = `This must be at most ${most} characters long.`;
  return z
    .string('This must be text.')
    .refine((given) => given.length <= most * SLACK, { error: tooLong, abort: true })
    .refine(isPlain, { error: 'This holds characters that are not text.', abort: true })
    .transform(cleaned)
    .pipe(z.string().min(1, 'This must not be empty.').max(most, tooLong));
};
