import fc from 'fast-check';

import { rowsOf } from './analysis-plans.service.js';

const sizes = fc.array(fc.nat(50), { maxLength: 60 });

describe('rows of neighbours', () => {
  it('have every number once, in order', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 200 }), (given, most) => {
        const numbers = rowsOf(given, most).flatMap(({ first, last }) =>
          Array.from({ length: last - first + 1 }, (_, index) => first + index),
        );
        expect(numbers).toEqual(given.map((_, index) => index));
      }),
    );
  });

  it('are no larger than they may be, unless one alone is, and no two of them would fit together', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 200 }), (given, most) => {
        const rows = rowsOf(given, most);
        const sizeOf = ({ first, last }: { first: number; last: number }): number =>
          given.slice(first, last + 1).reduce((sum, each) => sum + each, 0);
        for (const [index, row] of rows.entries()) {
          expect(sizeOf(row) <= most || row.first === row.last).toBe(true);
          const next = rows[index + 1];
          if (next) expect(sizeOf(row) + (given[next.first] ?? 0)).toBeGreaterThan(most);
        }
      }),
    );
  });
});
