import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fold, sameWord, tidy, wordsOf } from './fold.js';
import { meaningsOf } from './meaning.js';

describe('fold', () => {
  it.each([
    ['Électricité', 'electricite'],
    ['Côte d’Ivoire', "cote d'ivoire"],
    ['12\u00a0000\u202fm³', '12 000 m3'],
    ['cœur', 'coeur'],
    ['ＡＢＣ，１', 'abc,1'],
    ['İstanbul', 'istanbul'],
    ['e\u0301t\u00e9', 'ete'],
  ])('%s becomes %s', (text, expected) => {
    expect(fold(tidy(text))).toBe(expected);
  });

  it('keeps every position', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => expect(fold(text)).toHaveLength(text.length)),
    );
  });
});

it.each([
  ['Que sais tu de moi ?', 'Que sais-tu de moi ?'],
  ['Dis moi tout, rappelle toi', 'Dis-moi tout, rappelle-toi'],
  ['Dites moi ce que vous savez', 'Dites-moi ce que vous savez'],
  ['Mon train part à 8 h, note le stp', 'Mon train part à 8 h, note-le stp'],
  ['Note le rendez-vous de mardi', 'Note le rendez-vous de mardi'],
  ['Tu as noté la note la plus haute', 'Tu as noté la note la plus haute'],
])('reads «%s» as «%s»', (typed, read) => {
  expect(tidy(typed)).toBe(read);
});

it('finds words in several scripts', () => {
  expect(wordsOf("l'eau 12kwh 用電").map(({ text }) => text)).toEqual(['l', 'eau', '12kwh', '用電']);
});

it.each([
  ['electricite', 'electricity', true],
  ['employes', 'employe', true],
  ['electricite', 'electrcite', true],
  ['transport', 'transformer', false],
  ['niger', 'nigeria', false],
  ['eau', 'feu', false],
])('%s and %s are one word: %s', (a, b, expected) => {
  expect(sameWord(a, b)).toBe(expected);
});

it.each<[string, string[]]>([
  ["Quel est le chiffre d'affaires de notre société ?", ['revenue', 'company']],
  ['huella de carbono', ['footprint', 'carbon']],
  ['empreinte carbonne', ['footprint', 'carbon']],
  ['notre CA', ['revenue']],
  ['ça va', ['va']],
  ['car_diesel', ['car', 'diesel']],
  ['HFC-134a, R 22', ['refrigerant:134a', 'refrigerant:22']],
  ['我們公司的碳足跡', ['company', 'carbon', 'footprint']],
])('«%s» speaks of %j', (text, keys) => {
  expect(meaningsOf(text).map(({ key }) => key)).toEqual(keys);
});
