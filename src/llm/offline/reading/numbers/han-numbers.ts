import type { FoundNumber } from './found-number.js';

const hanDigits = new Map(Array.from('零一二三四五六七八九', (digit, at) => [digit, at]));
hanDigits.set('〇', 0).set('兩', 2).set('两', 2);
const hanScales = new Map([
  ['十', 10],
  ['百', 100],
  ['千', 1000],
]);
const hanGroups = new Map([
  ['萬', 1e4],
  ['万', 1e4],
  ['億', 1e8],
  ['亿', 1e8],
]);
// «百分之三» is a share; a run that opens with 百, 千 or 萬 is a word (百貨, 千萬別).
const hanNumber =
  /(?<![\d百千萬万億亿])[零〇一二兩两三四五六七八九十][零〇一二兩两三四五六七八九十百千萬万億亿]*(?!分之)/gu;

function hanValue(numeral: string): number {
  let total = 0;
  let group = 0;
  let digit = 0;
  for (const sign of numeral) {
    const value = hanDigits.get(sign);
    const scale = hanScales.get(sign);
    if (value !== undefined) digit = value;
    else if (scale !== undefined) {
      group += (digit || 1) * scale;
      digit = 0;
    } else {
      total += (group + digit || 1) * (hanGroups.get(sign) ?? 1);
      group = 0;
      digit = 0;
    }
  }
  return total + group + digit;
}

/** The numbers written in Chinese numerals. */
export const findHanNumbers = (folded: string): FoundNumber[] =>
  Array.from(folded.matchAll(hanNumber), ({ 0: numeral, index }) => ({
    value: hanValue(numeral),
    start: index,
    end: index + numeral.length,
    weak: numeral.length === 1,
  }));
