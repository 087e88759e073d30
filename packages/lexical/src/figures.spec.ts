import { joinedFormsOf, rewritingsOf } from './figures.js';

function others(query: string): string[] {
  return rewritingsOf(query).map(({ other }) => other);
}

describe('what a query may be written as', () => {
  it.each([
    ['1234.5', ['1 234']],
    ['1234567', ['1 234 567']],
    ['123', []],
    ['1234567890123456', []],
    ['NT$1,234,567', ['1234567']],
    ['1.234,50', ['1234']],
    ['1\u202f234\u202f567', ['1234567']],
    ['1’234’567', ['1234567']],
    ['1,234.567', ['1234']],
    ['1,2345', ['2 345']],
    ['ISO14001', ['iso 14001']],
    ['ISO-14001認證', ['14 001', 'iso14001']],
    ['12kg', ['12 kg']],
    ['a1b2', []],
    ['統一編號12345678', ['12 345 678']],
    ['Bilan carbone', []],
  ])('%j: %j', (query, expected) => expect(others(query)).toEqual(expected));

  it('has an end', () => {
    expect(rewritingsOf('12345 '.repeat(1_000))).toHaveLength(32);
  });
});

it('a text is compared as it is, and with its figures and codes in one piece', () => {
  expect(joinedFormsOf('eur 1,234.50 by iso 14001')).toEqual([
    'eur 1,234.50 by iso 14001',
    'eur 1234.50 by iso 14001',
    'eur1234.50 by iso14001',
  ]);
  expect(joinedFormsOf('no figure')).toEqual(['no figure']);
});
