import fc from 'fast-check';
import { estimateTokens } from './token-estimate.js';

describe('estimateTokens', () => {
  it('counts four characters a token, and one token a CJK character', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('abcd')).toBe(1);
    expect(estimateTokens('abcde')).toBe(2);
    expect(estimateTokens('永續報告')).toBe(4);
    expect(estimateTokens('永續 ESG')).toBe(3);
    expect(estimateTokens('カーボン 한국어')).toBe(8);
    expect(estimateTokens('𠮷野家')).toBe(3);
  });

  it('never falls when text is added', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (head, tail) => {
        expect(estimateTokens(head + tail)).toBeGreaterThanOrEqual(estimateTokens(head));
      }),
    );
  });
});
