import fc from 'fast-check';

import { JsonScan } from './json-scan.js';

const limits = { values: 40, keys: 5, nesting: 6 };

it.each([
  ['values', `[${'1,'.repeat(40)}1]`],
  ['keys', '[{"a":1,"b":{},"c":[1,2,3,4,5,6,7],"d":1,"e":1}, {"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}]'],
  ['nesting', '[[[[[[['],
  ['values', `: a comment " of server-sent events\\\ndata: [${'1,'.repeat(40)}1]`],
  [null, '{"a":"\\\\","b":",,,,,,,,[[[[[[[[","c":"\\",[[[[[[[\\""}'],
])('reports %s in %s', (excess, json) => {
  expect(new JsonScan(limits).scan(Buffer.from(json))).toBe(excess);
});

it('reports the same whatever parts the text comes in', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'[]{}",:\\a\n'), maxLength: 60 }),
      fc.nat(60),
      (text, at) => {
        const json = Buffer.from(`{"a":[${text}`);
        const scan = new JsonScan(limits);
        const first = scan.scan(json.subarray(0, at));
        expect(first ?? scan.scan(json.subarray(at))).toBe(new JsonScan(limits).scan(json));
      },
    ),
  );
});
