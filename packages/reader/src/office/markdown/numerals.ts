/** How list items are counted. */
export type Numerals = 'decimal' | 'zero' | 'letters' | 'LETTERS' | 'roman' | 'ROMAN' | 'chinese' | 'legal';

/** By the names of HTML and OpenDocument. */
export const numeralsByFormat: Readonly<Record<string, Numerals>> = {
  '1': 'decimal',
  a: 'letters',
  A: 'LETTERS',
  i: 'roman',
  I: 'ROMAN',
};

export function numeral(count: number, numerals: Numerals): string {
  if (count < 1 || count > 9_999) return String(count);
  switch (numerals) {
    case 'decimal':
      return String(count);
    case 'zero':
      return String(count).padStart(2, '0');
    case 'letters':
      return letters(count);
    case 'LETTERS':
      return letters(count).toUpperCase();
    case 'roman':
      return roman(count);
    case 'ROMAN':
      return roman(count).toUpperCase();
    case 'chinese':
      return chinese(count, '〇一二三四五六七八九', ['', '十', '百', '千']).replace(/^一十/, '十');
    case 'legal':
      return chinese(count, '零壹貳參肆伍陸柒捌玖', ['', '拾', '佰', '仟']);
  }
}

/** a … z, then aa, bb … as in word processors. */
function letters(count: number): string {
  return String.fromCodePoint(97 + ((count - 1) % 26)).repeat(Math.ceil(count / 26));
}

const romanDigits: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

function roman(count: number): string {
  let left = count;
  return romanDigits
    .map(([value, digit]) => {
      const times = Math.floor(left / value);
      left -= times * value;
      return digit.repeat(times);
    })
    .join('');
}

function chinese(count: number, digits: string, places: readonly string[]): string {
  return [...String(count)]
    .map((digit, index, { length }) =>
      digit === '0' ? digits.charAt(0) : digits.charAt(Number(digit)) + (places[length - 1 - index] ?? ''),
    )
    .join('')
    .replaceAll(new RegExp(`${digits.charAt(0)}+`, 'g'), digits.charAt(0))
    .replace(new RegExp(`${digits.charAt(0)}$`), '');
}
