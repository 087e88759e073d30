import * as fc from 'fast-check';

import { parseExactly } from './exact-json.js';

describe('JSON with numbers that must not change', () => {
  it.each([
    '12345678901234567890',
    '9007199254740993',
    '-9007199254740993',
    // A number can hold it, and would not be shown with these digits.
    '72057594037927936',
    '12345678901234567168.0',
    '3.141592653589793238',
    '123456789.12345678901',
    '1e400',
    '-1E+999',
    '1e-400',
    `1${'0'.repeat(500)}1`,
  ])('keeps %s as a text', (number) => {
    expect(parseExactly(`{"a":[${number}]}`)).toEqual({ a: [number] });
  });

  it.each([
    '0',
    '-1.50',
    '9007199254740991',
    '12345678901234567000',
    '1000000000000000000000',
    '1.0000000000000000000',
    '0.30000000000000004',
    '0.10000000000000001',
    '15668732444881.062',
    '0.1000000000000000055511151231257827021181583404541015625',
    '1e3',
    '1.5e300',
    '0e999',
  ])('has %s as a number', (number) => {
    expect(parseExactly(`{"a":[${number}]}`)).toEqual({ a: [Number(number)] });
  });

  it('leaves what only looks like a number alone', () => {
    const value = { a12345678901234567890: '12345678901234567890', b: null, c: [true, '1e400'] };
    expect(parseExactly(JSON.stringify(value))).toEqual(value);
  });

  it('leaves texts and names alone, whatever is in them, beside what it keeps', () => {
    const texts = fc.string({ unit: fc.constantFrom('"', '\\', '12345678901234567890', '-', ',', ':', 'é') });
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        texts,
        fc.double({ noDefaultInfinity: true, noNaN: true }),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(texts, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(value, (given) => {
        const json = JSON.stringify(given);
        const kept = '-12345678901234567890.5e1';
        expect(parseExactly(`[${kept},${json} , ${kept}]`)).toEqual([kept, JSON.parse(json), kept]);
      }),
    );
  });

  it('gives back every number that JavaScript writes', () => {
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (number) => {
        expect(parseExactly(String(number))).toBe(Object.is(number, -0) ? 0 : number);
      }),
    );
  });

  it.each(['', '{"a":12345678901234567890', '01234567890123456'])('refuses %j', (text) => {
    expect(() => parseExactly(text)).toThrow(SyntaxError);
  });
});
