import { createHash } from 'node:crypto';

import { fold } from '../../search/lexical/fold.js';

/** A text as it is compared: without case, accents, punctuation and how it is spaced. */
export const folded = (text: string): string =>
  fold(text)
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

// An address, a number with its signs, a name of one or two letters: what these mean is lost when they are folded.
const telling = /[@\p{N}]/u;
const shortName = /(?<![\p{L}\p{N}])\p{L}{1,2}(?![\p{L}\p{N}])/gu;

/** Word by word: a pattern that looks for the mark in the middle of one takes the square of its length. */
const exactOf = (message: string): string[] =>
  message.split(/\s+/u).flatMap((word) => (telling.test(word) ? [word] : (word.match(shortName) ?? [])));

/**
 * What messages have in common that ask for the same. A hash, whatever their length: what was said is not kept in it.
 */
export const messageShape = (message: string): string =>
  createHash('sha256')
    .update(folded(message))
    .update('\0')
    .update(exactOf(message).join(' '))
    .digest('base64url');
