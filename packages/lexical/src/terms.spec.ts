import fc from 'fast-check';

import { hashOfTerm } from './term-hash.js';
import { TermVector } from './term-vector.js';
import { fold } from './fold.js';
import { MAX_TEXT_CHARACTERS, termsOf } from './terms.js';

const textOf = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 50 })
    .map((units) => String.fromCharCode(...units)),
);

describe('fold', () => {
  it.each([
    ['Élévation à Saint-Étienne', 'elevation a saint-etienne'],
    ['ŁÓDŹ, Ærøskøbing, Đặng, Straße, cœur', 'lodz, aeroskobing, dang, strasse, coeur'],
    ['İSTANBUL ısı', 'istanbul isi'],
    ['ΟΔΥΣΣΕΎΣ', 'οδυσσευσ'],
    ['Ёлка', 'елка'],
    ['Ɓanta e Ɗemngal ƴettii', 'banta e demngal yettii'],
    ['ＡＢＣ１２３ ﬁn ㎏', 'abc123 fin kg'],
    ['ﾃﾞｰﾀ が か', 'データ が か'],
    ['한국어', '한국어'],
    ['أحْمَد مدرسة', 'احمد مدرسه'],
    ['שָׁלוֹם', 'שלום'],
    ['ภาษาไทย', 'ภาษาไทย'],
    ['co\u00adop zero\u200bwidth', 'coop zerowidth'],
    ['℡ ™', 'tel tm'],
    ['e\u0301te\u0301', 'ete'],
  ])('makes of %j: %j', (text, folded) => expect(fold(text)).toBe(folded));

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(textOf, (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the terms of a text', () => {
  it.each<[string, string, string[]]>([
    ['grams and whole words', 'Le bilan', ['le', 'bila', 'ilan', '=bilan']],
    ['numbers whole', 'le 20260304 à 12h', ['le', '20260304', 'a', '12h']],
    ['words apart from what stands between', "l'eau, l’air", ['l', 'eau', 'air']],
    ['characters and pairs of Chinese', '碳排放', ['碳', '碳排', '排', '排放', '放']],
    [
      'the same of kana, and of Korean',
      'データ 탄소',
      ['デ', 'デー', 'ー', 'ータ', 'タ', '탄', '탄소', '소'],
    ],
    ['the same of Thai', 'คน', ['ค', 'คน', 'น']],
    ['two scripts apart', 'iPhone手機', ['ipho', 'phon', 'hone', '=iphone', '手', '手機', '機']],
    ['Arabic like Latin', 'المدرسة', ['المد', 'لمدر', 'مدرس', 'درسه', '=المدرسه']],
    ['Chinese beyond 16 bits', '𠮷野', ['𠮷', '𠮷野', '野']],
    ['Adlam by its letters', '𞤢𞤣𞤤𞤢𞤥', ['𞤢𞤣𞤤𞤢', '𞤣𞤤𞤢𞤥', '=𞤢𞤣𞤤𞤢𞤥']],
    ['nothing of punctuation', ' \0—!? \ud800\n…', []],
    ['nothing of emojis', '👩‍🌾👍🏿', []],
  ])('are %s', (_, text, terms) => expect([...termsOf(text).keys()]).toEqual(terms));

  it('are counted', () => {
    expect(termsOf('bonbonbon le le')).toEqual(
      new Map([
        ['bonb', 2],
        ['onbo', 2],
        ['nbon', 2],
        ['=bonbonbon', 1],
        ['le', 2],
      ]),
    );
    expect(TermVector.of('bonbonbon le le')).toHaveLength(9);
  });

  it('have an end', () => {
    expect(TermVector.of('a '.repeat(MAX_TEXT_CHARACTERS))).toHaveLength(MAX_TEXT_CHARACTERS / 2);
  });

  it('are the same of any text in a vector', () => {
    fc.assert(
      fc.property(textOf, (text) => {
        const terms = termsOf(text);
        const vector = TermVector.of(text);
        for (const [term, count] of terms) expect(vector.count(hashOfTerm(term))).toBe(count);
        expect(vector.terms.length).toBe(terms.size);
        expect(vector.length).toBe([...terms.values()].reduce((sum, count) => sum + count, 0));
      }),
      { numRuns: 300 },
    );
  });

  it('are the same of what stands above or below its line', () => {
    expect(termsOf('CO₂, m³, xⁿ')).toEqual(termsOf('CO2, m3, xn'));
  });

  it('do not depend on how a text is composed, on its case or on its accents', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'éèàçñöÅaz 한が手'), maxLength: 40 }), (text) => {
        expect(termsOf(text.normalize('NFD'))).toEqual(termsOf(text.toUpperCase()));
      }),
    );
  });
});
