import fc from 'fast-check';

import { IMAGE_TOKENS } from '../chat-model.js';
import { estimatePrompt, estimateTokens } from './token-estimate.js';

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

describe('a prompt', () => {
  it('is estimated with its files, and an image by what it is, not by how it is written down', () => {
    const words = [{ role: 'user' as const, content: 'Look' }];
    const image = { type: 'image', mediaType: 'image/png', data: 'A'.repeat(1_000_000) } as const;
    const note = { type: 'text', text: 'x'.repeat(400) } as const;
    const plain = estimatePrompt(words, []);
    expect(estimatePrompt([{ ...words[0]!, files: [image, note] }], [])).toBe(plain + IMAGE_TOKENS + 100);
  });
});
