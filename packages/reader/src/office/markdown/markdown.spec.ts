import fc from 'fast-check';

import { numeral } from './numerals.js';
import { piecesOf } from './pieces.js';
import { plainNumber, paragraph } from './text.js';
import { tablePieces } from './table.js';

describe('Markdown', () => {
  it.each([
    [4, 'roman', 'iv'],
    [1999, 'ROMAN', 'MCMXCIX'],
    [28, 'letters', 'bb'],
    [7, 'zero', '07'],
    [10, 'chinese', '十'],
    [21, 'chinese', '二十一'],
    [105, 'chinese', '一百〇五'],
    [20, 'legal', '貳拾'],
    [0, 'roman', '0'],
  ] as const)('writes %p in %p as %p', (count, numerals, text) => {
    expect(numeral(count, numerals)).toBe(text);
  });

  it.each([
    ['0.30000000000000004', '0.3'],
    ['1E-7', '0.0000001'],
    ['1.2345E+12', '1234500000000'],
    ['-0', '0'],
    ['12345678901234567890', '12345678901234567890'],
    ['x', null],
    ['', null],
  ])('reads the number %p as %p', (value, text) => {
    expect(plainNumber(value)).toBe(text);
  });

  it('never lets text become a heading, a table or code', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'#|`~>- \n\tab') }), (text) => {
        expect(paragraph(text)).not.toMatch(/^(?:#{1,6}(?: |$)|\||```|~~~|>)/m);
      }),
    );
  });

  it('cuts blocks to pieces that are the blocks again', () => {
    const block = fc.record({ markdown: fc.string({ maxLength: 50, unit: fc.constantFrom(...'ab# ') }) });
    fc.assert(
      fc.property(fc.array(block), fc.integer({ min: 1, max: 3_000 }), (blocks, times) => {
        const long = blocks.map(({ markdown }) => ({ markdown: markdown.trim().repeat(times) }));
        const pieces = [...piecesOf(long)];
        expect(pieces.every(({ length }) => length > 0 && length <= 40_000)).toBe(true);
        const bare = (text: string): string => text.replaceAll(/\s+/g, '');
        expect(bare(pieces.join(''))).toBe(bare(long.map(({ markdown }) => markdown).join('')));
      }),
    );
  });

  it('has every cell of a table once, and as many bars in every line', () => {
    const cell = fc.string({ unit: fc.constantFrom(...'ab| \n'), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 20 }), (rows) => {
        const lines = tablePieces(rows).flatMap((piece) => piece.split('\n'));
        // A title of the whole table stands above it.
        const inTable = lines.filter((line) => line.startsWith('|'));
        const bars = inTable.map((line) => line.replaceAll('\\|', '').split('|').length);
        expect(new Set(bars).size).toBeLessThan(2);
        const letters = (text: string): string => text.replaceAll(/[^ab]/g, '');
        expect(letters(lines.join(''))).toBe(letters(rows.flat().join('')));
      }),
    );
  });
});
