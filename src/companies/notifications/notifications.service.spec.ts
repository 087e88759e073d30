import fc from 'fast-check';

import { excerpt } from './notifications.service.js';

const text = fc.string({ unit: 'grapheme', maxLength: 400 });

describe('excerpt', () => {
  it.each([
    ['', ''],
    ['  Bonjour\n\n à  tous. ', 'Bonjour à tous.'],
    ['a'.repeat(20), 'a'.repeat(20)],
    ['a'.repeat(21), `${'a'.repeat(19)}…`],
    ['Le prix est de 12 000 francs', 'Le prix est de 12…'],
    ['Le prix est de 12345 francs', 'Le prix est de…'],
    ['今天的天氣很好，我們可以一起去公園散步嗎？當然可以。', '今天的天氣很好，我們可以一起去公園散步…'],
    [`${'a'.repeat(18)}👩‍🌾 b`, `${'a'.repeat(18)}…`],
    [`${'\n'.repeat(100)}late`, '…'],
  ])('makes of %j: %j', (whole, beginning) => {
    expect(excerpt(whole, 20)).toBe(beginning);
  });

  it('is never too long, on one line, and well formed', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 200 }), (whole, most) => {
        const beginning = excerpt(whole, most);
        expect(beginning.length).toBeLessThanOrEqual(most);
        expect(beginning).not.toMatch(/[\r\n]/);
        expect(beginning.isWellFormed()).toBe(true);
      }),
    );
  });
});
