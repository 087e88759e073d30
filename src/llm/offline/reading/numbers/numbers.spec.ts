import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fold, tidy } from '../words/fold.js';
import { findNumbers } from './numbers.js';

const values = (given: string): number[] => {
  const text = tidy(given);
  return findNumbers(text, fold(text)).flatMap((number) => (number.weak ? [] : [number.value]));
};

describe('findNumbers', () => {
  it.each<[string, number[]]>([
    ['12 000', [12_000]],
    ['12\u00a0000', [12_000]],
    ['12\u202f000,5', [12_000.5]],
    ['12.000', [12_000]],
    ['12,000', [12_000]],
    ["12'000", [12_000]],
    ['1.234.567', [1_234_567]],
    ['3,5', [3.5]],
    ['3.5', [3.5]],
    ['0,125', [0.125]],
    ['1 234,56', [1234.56]],
    ['1,234.56', [1234.56]],
    ['1.234,56', [1234.56]],
    ['2 millions', [2_000_000]],
    ['1,2 million', [1_200_000]],
    ['2 millions 500 mille', [2_500_000]],
    ['3 mil', [3000]],
    ['5 mil millones', [5_000_000_000]],
    ['10k', [10_000]],
    ['3,3k', [3300]],
    ['12萬', [120_000]],
    ['1.5億', [150_000_000]],
    ['10 M€', [10_000_000]],
    ['10 m', [10]],
    ['deux cents', [200]],
    ['trois mille', [3000]],
    ['deux mille cinq cents', [2500]],
    ['douze mille trois cent quarante-cinq', [12_345]],
    ['quatre-vingt-dix-sept mille', [97_000]],
    ['soixante et onze, vingt et un', [71, 21]],
    ['deux et trois', [2, 3]],
    ['trois millions deux cent mille', [3_200_000]],
    ['twelve thousand five hundred and six', [12_506]],
    ['twenty-five', [25]],
    ['dos mil quinientos treinta y cinco', [2535]],
    ['cinco mil millones', [5_000_000_000]],
    ['très bien, dos à dos, once a year', []],
    ['三千', [3000]],
    ['一萬二千五百', [12_500]],
    ['1萬2千', [12_000]],
    ['3千瓦時', [3]],
    ['兩百', [200]],
    ['千萬別百分之三，一家', []],
    ['douze litres', [12]],
    ['-5 degrés', [-5]],
    ['de 10-20 t', [10, 20]],
    ['12 000, 3 500 et 7', [12_000, 3500, 7]],
    ['en 2024 350 litres', [2024, 350]],
    ['R134a, CO2, ISO-14001 et m3', []],
    ['1/2, 3/4, 2 1/2 et 1/10', [0.5, 0.75, 2.5, 0.1]],
    ['½, 2½ et 1 ¾', [0.5, 2.5, 1.75]],
    ['24/7, 3/2, 12/13/14, CO2/1', [24, 7, 3, 2, 12, 13, 14, 1]],
    ['2x1000 et 2 x 500', [2, 1000, 2, 500]],
    ['2 millions et demi, deux millions et demi', [2_500_000, 2_500_000]],
    ['2 et demi, two and a half, dos y medio', [2.5, 2.5, 2.5]],
    ['two and a half million, 3 millones y medio', [2_500_000, 3_500_000]],
    ['une demie journée et un semestre', []],
  ])('%s', (text, expected) => {
    expect(values(text)).toEqual(expected);
  });

  it.each(['fr-FR', 'en-GB', 'es-ES', 'de-CH', 'zh-Hant-TW'])(
    'reads back what Intl writes for %s',
    (locale) => {
      const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 2, useGrouping: 'always' });
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 1e11 }), (hundredths) => {
          expect(values(`il y a ${format.format(hundredths / 100)} unités`)).toEqual([hundredths / 100]);
        }),
      );
    },
  );

  it('reads any text, each number within it and after the one before', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (given) => {
        const text = tidy(given);
        let end = 0;
        for (const number of findNumbers(text, fold(text))) {
          expect(number.start).toBeGreaterThanOrEqual(end);
          expect(number.end).toBeLessThanOrEqual(text.length);
          end = number.end;
        }
      }),
    );
  });
});
