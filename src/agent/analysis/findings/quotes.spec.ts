import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { QuoteFinder, shows } from './quotes.js';

const pages = [
  { page: 1, text: '# Énergie\n\nLa consommation s’élève à **12 400 kWh** en 2024.' },
  { page: 2, text: 'L’effectif compte 52 % de femmes. La consom-\nmation d’eau est suivie.' },
  { page: 4, text: 'La consommation s’élève à 12 400 kWh en 2024.' },
];
const finder = new QuoteFinder(pages);

describe('a quote', () => {
  it.each<[string, number | null, number]>([
    ['La consommation s’élève à 12 400 kWh en 2024.', 1, 1],
    ["la consommation s'élève à 12\u00a0400 kWh", 4, 4],
    ['La consommation s’élève à 12 400 kWh', null, 1],
    ['**52 %** de FEMMES', 2, 2],
    ['La consommation d’eau est suivie', 2, 2],
    ['en 2024.\nL’effectif compte', 2, 2],
    ['en 2024. L’effectif compte', 1, 1],
  ])('stands on its page: %j on %s', (quote, named, page) => {
    expect(finder.find(quote, named)).toEqual({ page });
  });

  it.each<[string, number | null]>([
    ['La consommation s’élève à 12 400 kWh', 2],
    ['La consommation s’élève à 12 500 kWh', 1],
    ['La consommation s’élève à 1 240 kWh', null],
    ['52 % d’hommes', 2],
    ['en', 1],
    ['… — !', null],
  ])('does not stand there: %j on %s', (quote, named) => {
    expect(finder.find(quote, named)).toBeNull();
  });

  it('of a document without pages stands on none, whatever is named', () => {
    const text = new QuoteFinder([{ page: null, text: '能源消耗為 12,400 度電，較前一年減少 5%。' }]);
    expect(text.find('能源消耗為 12,400 度電', 3)).toEqual({ page: null });
    expect(text.find('能源消耗為12,400度電', null)).toEqual({ page: null });
  });

  it('is found on its page when it is a part of that page’s text', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 }),
        fc.nat(),
        fc.integer({ min: 12, max: 40 }),
        (at, from, length) => {
          const { page, text } = pages[at]!;
          const start = from % (text.length - 12);
          const words = text.slice(start, start + length);
          fc.pre((words.match(/[\p{L}\p{N}]/gu) ?? []).length > 7);
          // Half a decimal number is another number.
          fc.pre(!/\p{N}/u.test(words.at(0)! + words.at(-1)!));
          expect(finder.find(words, page)).toEqual({ page });
        },
      ),
    );
  });
});

describe('words that show a value', () => {
  it.each<[string, string, boolean]>([
    ['12 400 kWh en 2024', '12400', true],
    ['12 400 kWh en 2024', '12 400', true],
    ['1,5 million', '1.5', true],
    ['12 400 kWh', '12 500', false],
    ['beaucoup de femmes', 'beaucoup', false],
  ])('%j shows %j: %s', (quote, value, is) => expect(shows(quote, value)).toBe(is));
});
