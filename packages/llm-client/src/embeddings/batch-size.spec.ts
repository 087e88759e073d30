import fc from 'fast-check';

import { BatchSize } from './batch-size.js';

const many = Array.from({ length: 200 }, () => 100);

it('grows while requests are quick, and shrinks when one is slow, within bounds', () => {
  const size = new BatchSize();
  expect(size.fit(many)).toBe(40);
  size.took(4_000, 100);
  expect(size.fit(many)).toBe(80);
  size.took(8_000, 600);
  expect(size.fit(many)).toBe(80);
  size.took(8_000, 5_000);
  size.took(4_000, 5_000);
  expect(size.fit(many)).toBe(20);
  for (let round = 0; round < 20; round += 1) size.took(100, 60_000);
  expect(size.fit(many)).toBe(5);
});

it('learns nothing from a small request that was quick', () => {
  const size = new BatchSize();
  size.took(10, 1);
  expect(size.fit(many)).toBe(40);
});

it('lets one text through, however long, and never more than a request takes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50_000 }), { minLength: 1, maxLength: 200 }), (tokens) => {
      const count = new BatchSize().fit(tokens);
      expect(count).toBeGreaterThanOrEqual(1);
      expect(count).toBeLessThanOrEqual(Math.min(96, tokens.length));
      if (count > 1)
        expect(tokens.slice(0, count).reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(4_000);
    }),
  );
});
