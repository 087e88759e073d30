import { withoutAccents } from '../../../../common/text/folded-text.js';

const ligatures: Readonly<Record<string, string>> = {
  œ: 'oe',
  Œ: 'OE',
  æ: 'ae',
  Æ: 'AE',
  ß: 'ss',
  ﬁ: 'fi',
  ﬂ: 'fl',
};

/** «que sais tu», «dis moi», «…, note le»: as most people type what is written with a hyphen. */
const hyphenless =
  /(?<![\p{L}'-])((?:(?:sais|as|peux|pourrais|connais|te souviens)(?= tu(?![\p{L}'-])))|(?:(?:savez|avez|pouvez|pourriez|connaissez|souvenez|rappelez)(?= vous(?![\p{L}'-])))|(?:(?:r?appelle|tutoie|vouvoie|dis|donne|fais|montre|explique|r[eé]ponds|[eé]cris|envoie|pr[eé]pare|cherche|trouve|calcule)(?= moi(?![\p{L}'-])))|(?:(?:r?appele|tutoye|vouvoye|dite|donne|faite|montre|explique|r[eé]ponde|[eé]crive|envoye|pr[eé]pare|cherche|trouve|calcule)[sz](?= moi(?![\p{L}'-])))|(?:(?:souviens|rappelle)(?= toi(?![\p{L}'-])))|(?:(?:retiens|retenez|notez?|m[eé]morisez?|enregistrez?|oubliez?)(?= (?:le|la|les)(?:,? (?:stp|svp|s'il (?:te|vous) pla[iî]t|merci))?[\s.!]*$))) /gimu;

/**
 * The text as it is read: composed, ligatures spelt out, one apostrophe, so that `fold` can keep every position; and
 * with the hyphens that French verbs have before their pronouns.
 */
export const tidy = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[’‘ʼ]/g, "'")
    .replace(/[œŒæÆßﬁﬂ]/g, (ligature) => ligatures[ligature] ?? ligature)
    .replace(hyphenless, '$1-');

function foldUnit(unit: string): string {
  if (/[’‘ʼ´]/.test(unit)) return "'";
  if (/[‐‑‒–—−]/.test(unit)) return '-';
  const plain = withoutAccents(unit).toLowerCase();
  return plain.length === 1 ? plain : unit;
}

/** Lower case without accents, one kind of space and apostrophe. As long as the text it was given. */
export const fold = (text: string): string =>
  // Without the u flag a match is one UTF-16 unit, which is what positions count.
  text.replace(/[A-Z]|[^\x00-\x7f]/g, foldUnit);

export interface Word {
  /** Folded. */
  text: string;
  start: number;
  end: number;
}

const wordPattern = /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu;

/** The words of a folded text; a run of Chinese characters is one word. */
export const wordsOf = (folded: string): Word[] =>
  Array.from(folded.matchAll(wordPattern), ({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));

export const isHan = (text: string): boolean => /^\p{Script=Han}/u.test(text);

/** Cuts plural and gender endings, alike in French, English and Spanish. */
export function stem(word: string): string {
  const singular = word.length > 3 ? word.replace(/[sx]$/, '') : word;
  let end = singular.length;
  while (end > 0 && 'aeo'.includes(singular.charAt(end - 1))) end -= 1;
  const bare = singular.slice(0, end);
  return bare.length >= 4 ? bare : singular;
}

const sharedPrefix = (a: string, b: string): number => {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
};

/** Whether two folded words are forms of one word, or one with a slip of the keyboard. */
export function sameWord(a: string, b: string): boolean {
  if (stem(a) === stem(b)) return true;
  const prefix = sharedPrefix(a, b);
  const longer = Math.max(a.length, b.length);
  // «électrogène» is not «électronique», however much they share.
  if (prefix >= 4 && prefix >= (prefix >= 7 ? 0.6 : 0.75) * longer) return true;
  return Math.min(a.length, b.length) >= 7 && pairLikeness(a, b) >= 0.8;
}

/** Dice coefficient over letter pairs, 0 to 1. */
function pairLikeness(a: string, b: string): number {
  const pairs = (word: string) => Array.from({ length: word.length - 1 }, (_, i) => word.slice(i, i + 2));
  const left = pairs(a);
  const right = pairs(b);
  const common = left.filter((pair) => {
    const at = right.indexOf(pair);
    if (at >= 0) right.splice(at, 1);
    return at >= 0;
  });
  return (2 * common.length) / (a.length + b.length - 2);
}
