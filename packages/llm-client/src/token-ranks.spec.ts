import { createRequire } from 'node:module';
import tokens from 'gpt-tokenizer/bpeRanks/o200k_base';

import { TokenRanks } from './token-ranks.js';

const ranks = TokenRanks.read(
  createRequire(import.meta.url).resolve('gpt-tokenizer/data/o200k_base.tiktoken'),
);

/** The library has a token's text, or its bytes if they are not text. */
function bytesOf(token: string | readonly number[]): string {
  return Buffer.from(token as string).toString('latin1');
}

describe('TokenRanks', () => {
  it('has the rank that the library has, of every token', () => {
    const different = tokens.filter((token, rank) => {
      const bytes = bytesOf(token);
      return ranks.rankOf(`<${bytes}>`, 1, bytes.length + 1) !== rank;
    });
    expect(different).toEqual([]);
  });

  it.each(['', '\xff\xff', 'palabres', '\xff\xfe\xfd'])('has none for %j', (bytes) =>
    expect(ranks.rankOf(bytes, 0, bytes.length)).toBe(Infinity),
  );
});
