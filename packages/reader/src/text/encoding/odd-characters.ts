/** Patterns that hardly occur in correctly decoded text. */
const ODD: readonly RegExp[] = [
  // Unassigned, private and control characters.
  /[\ufffd\p{Cn}\p{Co}]|[\p{Cc}--[\t\n\r\f]]/gv,
  // Capitals and signs within words.
  /(?<=\p{Ll})[\p{Lu}--[A-Z]]/gv,
  /(?<=[\p{Ll}\p{Lu}])[[\p{S}\p{Po}\p{Ps}\p{No}«»“”‹›]--[\0-\x7f\u00b7]](?=\p{Ll})/gv,
  /(?<=\p{Ll})[†‡‰]|[–—][‘’“”]\p{Ll}/gu,
  /(?<=\p{L})[¢¥¦¬¶]|[¢¥¦¬¶](?=\p{L})|[¼½¾](?=\p{Ll})/gu,
  // Letters of two scripts in one word.
  /(?<=\p{Script=Latin})[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}]/gv,
  /(?<=[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}])\p{Script=Latin}/gv,
  /(?<=\p{Script=Latin})[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}](?=\p{Ll})/gv,
  // Lone diacritics, halfwidth katakana, and box drawing beside letters.
  /[ˆ˜¨´¸¤\uff61-\uff9f]/gu,
  /(?<=\p{L})[\u2500-\u259f]|[\u2500-\u259f](?=\p{L})/gu,
];

/** The share of odd ones among the characters beyond ASCII: 0 to 1. */
export function oddShareOf(text: string): number {
  const characters = text.match(/[^\0-\x7f]|[\0-\x08\x0e-\x1f]/g)?.length ?? 0;
  if (characters === 0) return 0;
  const odd = ODD.reduce((sum, pattern) => sum + (text.match(pattern)?.length ?? 0), 0);
  return Math.min(1, odd / characters);
}
