/**
 * Accents, vowel points of Hebrew and Arabic, and invisible characters. Not all marks: in the scripts of India and
 * South-East Asia they are vowels, and in kana they make other consonants.
 */
const ACCENTS = '\u0300-\u036f\u0483-\u0487';
const HEBREW_POINTS = '\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7';
const ARABIC_POINTS = '\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed';
const UNSEEN = '\u00ad\u200b-\u200f\u2060\ufe00-\ufe0f\ufeff';
const MARKS = new RegExp(`[${ACCENTS}${HEBREW_POINTS}${ARABIC_POINTS}${UNSEEN}]+`, 'gu');

/** Letters that Unicode does not decompose, with their replacement on other keyboards. */
const PLAIN = new Map(
  'ßss æae œoe øo đd ðd łl þth ħh ıi ŋn ŧt ɓb ɖd ɗd ɛe ƒf ɣg ƙk ɲn ɔo ʋv ƴy ςσ ىي یي ةه کك'
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.slice(1)]),
);
const UNPLAIN = new RegExp(`[${[...PLAIN.keys()].join('')}]`, 'g');

const BEYOND_ASCII = /[^\u0000-\u007f]+/g;

/** One or two accented letters: most of what is not ASCII in European texts. */
const MAX_KEPT_UNITS = 2;
const MAX_KEPT = 10_000;
const kept = new Map<string, string>();

function foldPiece(piece: string): string {
  const known = kept.get(piece);
  if (known !== undefined) return known;
  const folded = piece
    .normalize('NFKD')
    .toLowerCase()
    .replace(MARKS, '')
    .replace(UNPLAIN, (letter) => PLAIN.get(letter) ?? letter)
    .normalize('NFC');
  if (piece.length <= MAX_KEPT_UNITS && kept.size < MAX_KEPT) kept.set(piece, folded);
  return folded;
}

/**
 * The form in which texts are compared: compatible characters unified, lower case, no accents. ASCII needs less work,
 * so a text is processed in a third of the time.
 */
export function fold(text: string): string {
  return text.toLowerCase().replace(BEYOND_ASCII, foldPiece);
}
