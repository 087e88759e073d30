import fc from 'fast-check';

import { withPlainTables } from './plain-tables.js';

const table =
  'Water:\n\n| Site | 2023 | 2024 |\n| --- | :---: | ---: |\n| Thiès \\| Kaolack | 12 |  |\n|a|b|c|\n\nEnd.';

describe('withPlainTables', () => {
  it('gives what the cells of tables say, and all else as it is', () => {
    expect(withPlainTables(table)).toBe(
      'Water:\n\nSite · 2023 · 2024\nThiès | Kaolack · 12\na · b · c\n\nEnd.',
    );
    expect(withPlainTables('a | b\n|x| + 1 |y|.\n- c')).toBe('a | b\n|x| + 1 |y|.\n- c');
  });

  it('gives a part, wherever it begins', () => {
    const start = table.indexOf('2023');
    expect(withPlainTables(table, start, table.indexOf('12') + 2)).toBe('2023 · 2024\nThiès | Kaolack · 12');
    expect(withPlainTables(table, table.indexOf('End'))).toBe('End.');
  });

  it('loses no word of a part', () => {
    const wordsIn = (text: string): string[] => text.match(/\p{L}+|\p{N}+/gu) ?? [];
    fc.assert(
      fc.property(fc.nat(table.length), fc.nat(table.length), (one, other) => {
        const [start, end] = [Math.min(one, other), Math.max(one, other)];
        expect(wordsIn(withPlainTables(table, start, end))).toEqual(wordsIn(table.slice(start, end)));
      }),
    );
  });
});
