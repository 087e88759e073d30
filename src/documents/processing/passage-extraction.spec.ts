import fc from 'fast-check';

import { LanguageTally, ReadingProgress } from './passage-extraction.service.js';

it('never falls, and never says that all is done', () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.array(fc.nat(50_000)), (bytes, pages) => {
      const progress = new ReadingProgress(bytes);
      let before = progress.share;
      expect(before).toBe(0);
      for (const length of pages) {
        progress.take({ number: null, markdown: 'x'.repeat(length) });
        expect(progress.share).toBeGreaterThanOrEqual(before);
        expect(progress.share).toBeLessThan(1);
        before = progress.share;
      }
    }),
    { numRuns: 50 },
  );
});

it('of a text is nearly all when all of it was read', () => {
  const progress = new ReadingProgress(1_000);
  progress.take({ number: null, markdown: 'x'.repeat(1_000) });
  expect(progress.share).toBeGreaterThan(0.8);
});

it('a document is in the language of most of what is in a known one', () => {
  const tally = new LanguageTally();
  expect(tally.most).toBeNull();
  tally.add({ language: null, tokens: 900 });
  expect(tally.most).toBeNull();
  tally.add({ language: 'es', tokens: 40 });
  tally.add({ language: 'fr', tokens: 30 });
  tally.add({ language: 'fr', tokens: 30 });
  expect(tally.most).toBe('fr');
});
