import fc from 'fast-check';

import { splitHalfCharacter, wellFormed, wellFormedValue } from './well-formed.js';

/** Any text that JSON can bring, halves of characters and NULs among it. */
const anyText = fc
  .array(fc.constantFrom('a', 'é', '界', '\0', '😀', '\uD83D', '\uDE00', '\\u0000', '"'), { maxLength: 12 })
  .map((pieces) => pieces.join(''));

describe('wellFormed', () => {
  it('drops NULs and replaces halves of characters, and nothing else', () => {
    expect(wellFormed('a\0b \uD83D 😀 \uDE00 é界')).toBe('ab \uFFFD 😀 \uFFFD é界');
    expect(wellFormed('\uD83D\0\uDE00')).toBe('😀');
  });

  it('gives what PostgreSQL takes, for any text, and leaves that as it is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const clean = wellFormed(text);
        expect(clean.isWellFormed()).toBe(true);
        expect(clean).not.toContain('\0');
        expect(wellFormed(clean)).toBe(clean);
      }),
    );
  });
});

describe('wellFormedValue', () => {
  it('cleans every string at any depth, keys too, and keeps all other values', () => {
    const value = { 'k\0ey': ['a\0', { deep: '\uD83D' }], number: 1.5, yes: true, nothing: null };
    expect(wellFormedValue<unknown>(value)).toEqual({
      key: ['a', { deep: '\uFFFD' }],
      number: 1.5,
      yes: true,
      nothing: null,
    });
  });

  it('keeps a key that means something to JavaScript as the data it is', () => {
    const value: unknown = JSON.parse('{"__proto__":{"admin":true},"constructor":"x"}');
    expect(JSON.stringify(wellFormedValue(value))).toBe('{"__proto__":{"admin":true},"constructor":"x"}');
  });

  it('leaves what is well-formed as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme-ascii' }), (value) => {
        expect(wellFormedValue(value)).toEqual(value);
      }),
    );
  });
});

describe('splitHalfCharacter', () => {
  it.each([
    ['text', 'text', ''],
    ['', '', ''],
    ['emoji 😀', 'emoji 😀', ''],
    ['cut \uD83D', 'cut ', '\uD83D'],
    ['a second half \uDE00', 'a second half \uDE00', ''],
  ])('splits %j', (text, whole, half) => {
    expect(splitHalfCharacter(text)).toEqual({ whole, half });
  });

  it('loses nothing', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { whole, half } = splitHalfCharacter(text);
        expect(whole + half).toBe(text);
      }),
    );
  });
});
