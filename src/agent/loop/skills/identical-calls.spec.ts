import fc from 'fast-check';
import type { JsonValue } from '@palabre/json';

import { canonicalArguments, IdenticalCalls } from './identical-calls.js';

function call(name: string, text: string) {
  return { id: '', name, arguments: text, result: '1' };
}

describe('calls that are the same', () => {
  it('may be made twice in a turn, and no third time', () => {
    const calls = new IdenticalCalls([{ text: '', calls: [call('look', '{"a":1,"b":[2]}')] }]);
    expect(calls.isAllowed('look', '{ "b": [2], "a": 1 }')).toBe(true);
    expect(calls.isAllowed('look', '{"a":1,"b":[2]}')).toBe(false);
    expect(calls.isAllowed('find', '{"a":1,"b":[2]}')).toBe(true);
    expect(calls.isAllowed('look', '{"a":1,"b":[3]}')).toBe(true);
  });

  it('are counted in all steps, whatever else was called between them', () => {
    const texts = ['{"a":1}', '{"a":2}', '{"a":3}', ' {"a":1}'];
    const calls = new IdenticalCalls(texts.map((one) => ({ text: '', calls: [call('look', one)] })));
    expect(texts.map((one) => calls.isAllowed('look', one))).toEqual([false, true, true, false]);
    expect(texts.map((one) => calls.isAllowed('look', one))).toEqual([false, false, false, false]);
  });

  it.each([
    ['nothing', '', ' {} '],
    ['text that is no JSON', '{"a": ', '{"a":'],
    ['numbers written otherwise', '{"a":1.0}', '{"a":1}'],
    ['nested fields', '{"a":{"x":1,"y":2}}', '{"a":{"y":2,"x":1}}'],
  ])('are told by what they say: %s', (_, one, other) => {
    const calls = new IdenticalCalls([{ text: '', calls: [call('look', one), call('look', other)] }]);
    expect(calls.isAllowed('look', one)).toBe(false);
  });

  it.each([
    ['{"a":{"b":1}}', '{"a":[["b",1]]}'],
    ['{"a":{"entries":[]}}', '{"a":{}}'],
    ['{"a":[1,2]}', '{"a":[2,1]}'],
    ['{"a":"1"}', '{"a":1}'],
    ['{"a":null}', '{}'],
  ])('are not %s and %s', (one, other) => {
    expect(canonicalArguments(one)).not.toBe(canonicalArguments(other));
  });

  it('have no form of their own where they are nested deep', () => {
    expect(canonicalArguments('{"a":'.repeat(2_000) + '1' + '}'.repeat(2_000))).toBeNull();
  });

  it.each(['[1]', '"a"', 'null', '{"a"', 'undefined'])('have no form of their own in %s', (text) => {
    expect(canonicalArguments(text)).toBeNull();
  });

  it('are the same in whatever order their fields are written, and only then', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 });
    const shuffled = (value: JsonValue): JsonValue => {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map(shuffled);
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, item]) => [key, shuffled(item)]),
      );
    };
    fc.assert(
      fc.property(object, object, (one, other) => {
        const [text, otherText] = [JSON.stringify(one), JSON.stringify(other)];
        const again = JSON.stringify(shuffled(JSON.parse(text) as JsonValue), null, 2);
        expect(canonicalArguments(again)).toBe(canonicalArguments(text));
        const areSame = canonicalArguments(text) === canonicalArguments(otherText);
        const reordered = JSON.stringify(shuffled(JSON.parse(otherText) as JsonValue));
        // As long as the text differs by more than the order of fields, there are as many characters, sorted.
        if (areSame) expect([...reordered].toSorted()).toEqual([...text].toSorted());
      }),
    );
  });
});
