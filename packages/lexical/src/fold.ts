/**
 * Accents, vowel points of Arabic and Hebrew, and what cannot be seen, by code points. Not all marks: in the scripts of
 * India and South-East Asia they are vowels, and in kana they make other consonants.
 */
const MARK_RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x00ad, 0x00ad],
  [0x0300, 0x036f],
  [0x0483, 0x0487],
  [0x0591, 0x05bd],
  [0x05bf, 0x05bf],
  [0x05c1, 0x05c2],
  [0x05c4, 0x05c5],
  [0x05c7, 0x05c7],
  [0x0610, 0x061a],
  [0x0640, 0x0640],
  [0x064b, 0x065f],
  [0x0670, 0x0670],
  [0x06d6, 0x06dc],
  [0x06df, 0x06e8],
  [0x06ea, 0x06ed],
  [0x200b, 0x200f],
  [0x2060, 0x2060],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
];
function codePoint(value: number): string {
  return `\\u{${value.toString(16)}}`;
}
const MARKS = new RegExp(
  `[${MARK_RANGES.map(([first, last]) => `${codePoint(first)}-${codePoint(last)}`).join('')}]+`,
  'gu',
);

/** Letters that Unicode does not take apart, as people write them whose keyboard has none of them. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
  ɓ: 'b',
  ɖ: 'd',
  ɗ: 'd',
  ɛ: 'e',
  ƒ: 'f',
  ɣ: 'g',
  ƙ: 'k',
  ɲ: 'n',
  ɔ: 'o',
  ʋ: 'v',
  ƴ: 'y',
  ς: 'σ',
  ى: 'ي',
  ی: 'ي',
  ة: 'ه',
  ک: 'ك',
};
const UNPLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

const BEYOND_ASCII = /[^\u0000-\u007f]+/g;

/** Of an accented letter or two, which make up most of what is not ASCII in European texts. */
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
    .replace(UNPLAIN, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFC');
  if (piece.length <= MAX_KEPT_UNITS && kept.size < MAX_KEPT) kept.set(piece, folded);
  return folded;
}

/**
 * A text as it is compared: compatible forms as one, in lower case, without accents. What is ASCII stays as it is, so
 * that a text is taken apart in a third of the time.
 */
export function fold(text: string): string {
  return text.toLowerCase().replace(BEYOND_ASCII, foldPiece);
}
