import fc from 'fast-check';

import { lineDifferences } from './line-differences.js';

it('tells what was taken away and what came', () => {
  expect(lineDifferences('a\nb\nc', 'a\nx\nc')).toEqual([
    { text: 'a', change: 'same' },
    { text: 'b', change: 'removed' },
    { text: 'x', change: 'added' },
    { text: 'c', change: 'same' },
  ]);
});

it('holds both texts, whatever they are', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '')).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDifferences(before, after);
      const without = (change: string): string =>
        lines
          .filter((line) => line.change !== change)
          .map((line) => line.text)
          .join('\n');
      expect(without('added')).toBe(before);
      expect(without('removed')).toBe(after);
    }),
  );
});
