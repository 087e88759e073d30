import fc from 'fast-check';

import { normalizeText, messageKey } from './context-cache.service.js';

describe('the key of a message', () => {
  it.each([
    ['Quel est l’état du projet Baobab ?', 'quel  est l etat du PROJET, baobab'],
    ['¿Qué sabes de Peña?', 'que sabes de pena'],
    ['王小明的電話？', '王小明的電話'],
    ['\tHello\n there! ', 'hello there'],
  ])('is the same however it is written: %j and %j', (one, other) => {
    expect(messageKey(other)).toBe(messageKey(one));
  });

  it.each([
    ['Où est Marc ?', 'Où est Marie ?'],
    ['Write to awa@example.org.', 'Write to awa example org'],
    ['How much is 3.5?', 'How much is 35?'],
    ['Is Al here?', 'Is al here?'],
    ['', 'a'],
    ['कि', 'को'],
  ])('is another one where the meaning may be: %j and %j', (one, other) => {
    expect(messageKey(other)).not.toBe(messageKey(one));
  });

  // A quadratic algorithm takes minutes and blocks the process.
  it.each(['中', 'x', '@', '7', '\u0301', '😀', '中 '])(
    'is found for a message that is nothing but %j',
    (unit) => {
      expect(messageKey(unit.repeat(200_000))).toHaveLength(43);
    },
  );

  it('is short, and does not depend on the blanks around the words', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (words) => {
        expect(messageKey(` ${words.join('  ')}\n`)).toBe(messageKey(words.join(' ')));
        expect(messageKey(words.join(' '))).toHaveLength(43);
      }),
    );
  });
});

it('normalizeText is idempotent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(normalizeText(normalizeText(text))).toBe(normalizeText(text));
    }),
  );
  expect(normalizeText('ÉTÉ – l’Œuvre, 2026!')).toBe('ete l oeuvre 2026');
});
