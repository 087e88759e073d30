import { asSimplified, traditionalFormsOf } from './simplified-chinese.js';

/** A Chinese term: one or two characters. */
const HAN_TERM = /^[\u4e00-\u9fff]{1,2}$/;

/**
 * Other spellings of a Chinese term: simplified, and every traditional one. A text uses one or the other, so they are
 * not mixed. Empty for terms of other scripts.
 */
export function otherSpellingsOf(term: string): string[] {
  if (!HAN_TERM.test(term)) return [];
  const traditional = Array.from(term).reduce(
    (begun, character) => begun.flatMap((each) => traditionalFormsOf(character).map((form) => each + form)),
    [''],
  );
  return [...new Set([asSimplified(term), ...traditional])].filter((spelling) => spelling !== term);
}
