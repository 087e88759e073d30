import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutToTokens, estimateTokens, piecesOf } from './token-estimate.js';

it.each([
  ['', 0],
  ['abcd', 1],
  ['abcde', 2],
  ['用電', 2],
  ['用電 kWh', 3],
])('«%s» is about %i tokens', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});

describe('piecesOf', () => {
  it('cuts at words, and Chinese in twos', () => {
    expect(piecesOf('Douze mille kWh\n- 我們公司')).toEqual([
      'Douze',
      ' mille',
      ' kWh',
      '\n-',
      ' 我們',
      '公司',
    ]);
  });

  it('loses nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => expect(piecesOf(text).join('')).toBe(text)),
    );
  });
});

it('cuts a text to a number of tokens, at the end of a piece', () => {
  fc.assert(
    fc.property(fc.lorem({ maxCount: 30 }), fc.nat(40), (text, limit) => {
      const { text: kept, cut } = cutToTokens(text, limit);
      expect(text.startsWith(kept)).toBe(true);
      expect(estimateTokens(kept)).toBeLessThanOrEqual(limit);
      expect(cut).toBe(kept !== text);
    }),
  );
});
