import fc from 'fast-check';

import { cleanText, cleanTexts } from './clean-text.js';

describe('a text from outside', () => {
  it.each([
    ['lines', 'un\r\ndeux\ttrois', 'un deux trois'],
    ['control characters', 'a\u0000b\u0007c', 'abc'],
    ['marks that turn the order', '\u202Egnp.exe\u202C x', 'gnp.exe x'],
    ['what nobody sees', 'so\u00adft\u200b hy\ufeffphen', 'soft hyphen'],
    ['half of a character', 'a\ud800b', 'a\ufffdb'],
    ['what is no character', 'a\uffffb', 'ab'],
    ['accents apart', 'e\u0301té', 'été'],
    ['Chinese, Arabic and emoji', '永續 شركة 🌱', '永續 شركة 🌱'],
    ['spaces that hold', '12\u202f000\u00a0€', '12\u202f000\u00a0€'],
  ])('is one line without trouble: %s', (_, text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  it('stays as it is when it is clean', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = cleanText(text);
        expect(cleanText(once)).toBe(once);
        expect(once).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\ufffe\uffff]/);
      }),
    );
  });

  it('is cleaned wherever it stands, and dates and numbers stay', () => {
    const at = new Date();
    expect(cleanTexts({ a: ['x\u0000', { b: 'y\n' }], at, n: 1, none: null })).toEqual({
      a: ['x', { b: 'y' }],
      at,
      n: 1,
      none: null,
    });
  });
});
