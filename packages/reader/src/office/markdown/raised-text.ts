/** Superscript and subscript. */
export type TextHeight = 'raised' | 'lowered' | null;

/** As Word and Excel name it. */
export function heightOfAlignment(name: string | undefined): TextHeight {
  if (name === 'superscript') return 'raised';
  return name === 'subscript' ? 'lowered' : null;
}

/** Superscripts by what they are compatible with. */
const RAISED: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁱⁿ'].map((small) => [small.normalize('NFKC'), small])),
  '-': '⁻',
  '–': '⁻',
};

/** Longer text was raised for its looks. */
const MAX_CHARACTERS = 20;

/**
 * Endings of ordinals and abbreviations in French, Spanish, Italian, Portuguese and English. `25th` needs no mark.
 */
const ENDING =
  /^(?:st|nd|rd|th|e|er|re|ère|ers|ères|res|nde?|d|ème|eme|èmes|es|o|os|a|as|me|mes|lle|lles|gr|to|tm|sm)\.?$/iu;

/** Note marks and signs that cannot be taken for part of a number: `[1]`, `*`, `®`. */
const TOLD_APART = /^(?:\[.*\]|[^\p{L}\p{N}]*)$/su;

/**
 * Marks raised and lowered text, so that it stays apart from the text before: 10⁶, 2023⁴, x^(ab), CO₂. Lowered text may
 * need no mark.
 */
export function atHeight(text: string, height: TextHeight): string {
  if (height === null) return text;
  const words = text.trim();
  const shown = height === 'raised' ? raised(words) : lowered(words);
  return words === shown ? text : text.replace(words, () => shown);
}

function raised(words: string): string {
  const characters = [...words];
  const small = characters.map((character) => RAISED[character]);
  if (!small.includes(undefined)) return small.join('');
  const isPlain = characters.length > MAX_CHARACTERS || ENDING.test(words) || TOLD_APART.test(words);
  if (isPlain) return words;
  return characters.length === 1 ? `^${words}` : `^(${words})`;
}

function lowered(words: string): string {
  return /^\d+$/.test(words)
    ? words.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x2080 + Number(digit)))
    : words;
}
