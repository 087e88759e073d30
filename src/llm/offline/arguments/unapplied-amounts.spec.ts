import { describe, expect, it } from '@jest/globals';
import { read } from '../reading/read.js';
import { unappliedAmounts } from './unapplied-amounts.js';

describe('unappliedAmounts', () => {
  it.each([
    ['10 000 litres de gazole et en avons revendu 4 000.', ['4 000']],
    ['100 000 kWh. Et si on remplace 40 % par du solaire ?', ['40 % par du solaire']],
    ['8 000 litres de gazole, pas 12 000.', []],
    ['50 000 kWh en 2024. Nous sommes 30 salariés', []],
    ['40 % de femmes', []],
  ])('of «%s»', (text, expected) => {
    expect(unappliedAmounts(read(text))).toEqual(expected);
  });
});
