import { partsOf, valueIn } from './message-part.js';

it('takes a row without parts for its text alone', () => {
  expect(partsOf({ parts: null, text: 'Bonjour' })).toEqual([{ type: 'text', text: 'Bonjour' }]);
});

it('completes stored parts with what stands in the text', () => {
  const parts = [{ type: 'reasoning', text: 'Hm.' }, { type: 'text' }, { type: 'data' }] as const;
  expect(partsOf({ parts: [...parts], text: '{"a":1}' })).toEqual([
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: '{"a":1}' },
    { type: 'data', value: { a: 1 } },
  ]);
});

it.each([
  ['{"a": [1]}', { a: [1] }],
  [' \n{"a": [1]}\n', { a: [1] }],
  ['```json\n{"a": [1]}\n```', { a: [1] }],
  ['```\r\n{"a":\n[1]}```\n', { a: [1] }],
  ['```json {"a": [1]}```', null],
  ['```json\n{"a": [1]}', null],
  ['Here it is: {"a": [1]}', null],
  ['```', null],
  ['', null],
])('reads the value in %j', (text, value) => {
  expect(valueIn(text)).toEqual(value);
});
