import fc from 'fast-check';

import { messageBatches } from './conversation-imports.service.js';

describe('the batches that messages are stored in', () => {
  it('hold them all in their order, few and short enough to be stored at once', () => {
    const messages = fc.array(
      fc.nat(200_000).map((length) => ({ text: 'x'.repeat(length) })),
      { maxLength: 600, size: 'max' },
    );
    fc.assert(
      fc.property(messages, (all) => {
        const batches = [...messageBatches(all)];
        expect(batches.flat()).toEqual(all);
        for (const batch of batches) {
          const characters = batch.reduce((sum, { text }) => sum + text.length, 0);
          expect(batch.length).toBeGreaterThan(0);
          expect(batch.length).toBeLessThanOrEqual(150);
          expect(batch.length === 1 || characters <= 150_000).toBe(true);
        }
      }),
      { numRuns: 20 },
    );
  });
});
