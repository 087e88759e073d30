import { asSimplified, traditionalFormsOf } from './simplified-chinese.js';

/** A term of Chinese, as they are made of it: a character or two. */
const HAN_TERM = /^[\u4e00-\u9fff]{1,2}$/;

/**
 * A term of Chinese as others write it: simplified, and traditionally in every way that it may be meant. A text is in
 * one or the other, so that the two are not mixed. Empty of terms of other scripts.
 */
export function otherSpellingsOf(term: string): string[] {
  if (!HAN_TERM.test(term)) return [];
  const traditional = Array.from(term).reduce(
    (begun, character) => begun.flatMap((each) => traditionalFormsOf(character).map((form) => each + form)),
    [''],
  );
  return [...new Set([asSimplified(term), ...traditional])].filter((spelling) => spelling !== term);
}
