import fc from 'fast-check';

import { AnswerSize, bytesOf, MAX_ANSWER_BYTES } from './answer-size.js';

const tooLarge = expect.objectContaining({
  code: 'PAYLOAD_TOO_LARGE',
  extensions: { limit: MAX_ANSWER_BYTES },
});

it('counts all text that there is in a value, as it is sent', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const texts: string[] = [];
      JSON.stringify(value, (_key, inner: unknown) => {
        if (typeof inner === 'string') texts.push(inner);
        return inner;
      });
      expect(bytesOf(value)).toBeGreaterThanOrEqual(Buffer.byteLength(texts.join('')));
    }),
  );
});

it('counts what rows of classes hold, and nothing of what is no data', () => {
  class Row {
    constructor(readonly text: string) {}
  }
  class Service {
    readonly cache = 'x'.repeat(1_000);
  }
  const circle: Record<string, unknown> = { text: 'four' };
  circle.self = circle;
  expect(bytesOf([new Row('é'.repeat(500)), new Row('')])).toBeGreaterThanOrEqual(1_000);
  expect(bytesOf({ service: new Service(), at: new Date(0), none: null, run: () => 1 })).toBeLessThan(100);
  expect(bytesOf(circle)).toBeLessThan(100);
});

it('refuses what makes an answer too large, and all after it, until another begins', () => {
  const size = new AnswerSize();
  size.addShown(MAX_ANSWER_BYTES);
  expect(() => size.addShown(1)).toThrow(tooLarge);
  expect(() => size.check()).toThrow(tooLarge);
  size.reset();
  size.addRead(5 * MAX_ANSWER_BYTES);
  expect(() => size.addRead(1)).toThrow(tooLarge);
});
