import fc from 'fast-check';

import { cutAtWord } from './cut-at-word.js';

const byLength = { sizeOf: ({ length }: string) => length, hasMore: false };

it.each([
  ['a text that fits', 'a text that fits'],
  ['a text that does not fit', 'a text that…'],
  ['a text thatdoesnotfit', 'a text thatdoes…'],
  ['今天的天氣很好我們可以一起去公園散步', '今天的天氣很好我們可以一起去公…'],
])('cuts %j to %j', (whole, beginning) => {
  expect(cutAtWord(whole, 16, byLength)).toBe(beginning);
});

it('tells of what comes after a line that fits', () => {
  expect(cutAtWord('two words', 16, { ...byLength, hasMore: true })).toBe('two words…');
});

it('is never larger than it may be, and goes on between graphemes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (whole, most) => {
      const beginning = cutAtWord(whole, most, byLength);
      expect(beginning.length).toBeLessThanOrEqual(most);
      expect(beginning.isWellFormed()).toBe(true);
    }),
  );
});
