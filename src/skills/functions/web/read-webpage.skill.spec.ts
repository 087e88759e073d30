import fc from 'fast-check';
import { Tokenizer } from '@palabre/llm-client';

import { excerptOf } from './read-webpage.skill.js';

/** One token a word, so that counts are visible. */
class Words extends Tokenizer {
  count(text: string): number {
    return text.match(/\S+/g)?.length ?? 0;
  }

  cut(text: string, maxTokens: number): string {
    return text.split(/\s+/).slice(0, maxTokens).join(' ');
  }
}
const words = new Words();

const page = [
  '# Rapport',
  'un deux trois quatre',
  'Énergie solaire au Sénégal',
  'cinq six sept',
  'énergie nucléaire',
];
const markdown = page.join('\n\n');

it('gives all that fits', async () => {
  expect(await excerptOf(markdown, null, 100, words)).toEqual({
    text: markdown,
    omittedTokens: 0,
    isFound: false,
  });
});

it('cuts between paragraphs, and says how much is missing', async () => {
  expect(await excerptOf(markdown, null, 14, words)).toEqual({
    text: '# Rapport\n\nun deux trois quatre',
    omittedTokens: 9,
    isFound: false,
  });
});

it('cuts a paragraph that alone is too long', async () => {
  expect(await excerptOf('a b c d e f', null, 3, words)).toEqual({
    text: 'a b c',
    omittedTokens: 3,
    isFound: false,
  });
});

it('finds passages whatever their accents and capitals, best first, in the page’s order', async () => {
  expect(await excerptOf(markdown, 'ENERGIE solaire', 14, words)).toMatchObject({
    text: '[…]\n\nÉnergie solaire au Sénégal\n\n[…]\n\nénergie nucléaire',
    isFound: true,
  });
  expect((await excerptOf(markdown, 'energie solaire', 9, words)).text).toBe(
    '[…]\n\nÉnergie solaire au Sénégal',
  );
});

it('finds characters of scripts without spaces', async () => {
  const chinese = ['太陽能發電', '核能', '風力'].join('\n\n');
  expect((await excerptOf(`${chinese}\n\n${'x '.repeat(20)}`, '風', 6, words)).text).toBe('[…]\n\n風力');
});

it('gives the beginning where nothing is found', async () => {
  expect(await excerptOf(markdown, 'licorne', 14, words)).toMatchObject({
    text: '# Rapport\n\nun deux trois quatre',
    isFound: false,
  });
});

it('counts no more of a text without end than its beginning', async () => {
  let counted = 0;
  class Watched extends Words {
    override count(text: string): number {
      counted += text.length;
      return super.count(text);
    }
  }
  const endless = 'un deux '.repeat(250_000);
  const { text, omittedTokens } = await excerptOf(endless, 'deux', 3, new Watched());
  expect(text).toBe('un deux un');
  expect(omittedTokens).toBe(499_997);
  expect(counted).toBeLessThan(100_000);
});

it('lets others be served while it looks through a long text', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    waiting = setImmediate(count);
  };
  let waiting = setImmediate(count);
  await excerptOf('un deux trois\n\n'.repeat(100_000), 'licorne', 3, words);
  clearImmediate(waiting);
  expect(turns).toBeGreaterThan(10);
});

it('never gives more than it may, and never says that all is there when it is not', async () => {
  const paragraph = fc.array(fc.constantFrom('a', 'bb', 'ccc', 'énergie', '\n', '#'), { maxLength: 12 });
  const text = fc
    .array(paragraph, { maxLength: 12 })
    .map((list) => list.map((item) => item.join(' ')).join('\n\n'));
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom('', 'bb', 'energie'),
      async (page, max, find) => {
        const { text: part, omittedTokens } = await excerptOf(page, find, max, words);
        expect(words.count(part)).toBeLessThanOrEqual(max);
        if (omittedTokens === 0) expect(part).toBe(page);
      },
    ),
  );
});
