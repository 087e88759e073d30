import { BadPath, requireResultPath, valueAt } from './result-path.js';

const answer = {
  data: {
    items: [
      { name: 'a', tags: [1, 2] },
      { name: 'b', tags: [] },
    ],
  },
  next: null,
};

it.each([
  ['$', answer],
  ['$.data.items[0].name', 'a'],
  ["$['data']['items'][-1]['name']", 'b'],
  ['$.data.items[*].name', ['a', 'b']],
  ['$.data.items[1:].name', ['b']],
  ['$.data.missing', null],
  ['$.missing[*]', []],
  ['$.next', null],
])('%s gives %j', (path, expected) => {
  requireResultPath(path);
  expect(valueAt(answer, path)).toEqual(expected);
});

it.each([
  ['no path', 'data.items'],
  ['half a path', '$.data['],
  ['a filter', '$.items[?@.a == 1]'],
  ['a pattern', '$.items[?match(@.a, "(a+)+b")]'],
  ['everything below everything', '$..*'],
  ['a name anywhere', '$..name'],
  ['the same twice', '$[*,*]'],
  ['two names', "$['a','b']"],
  ['a path without end', `$${'.a'.repeat(300)}`],
])('%s is refused', (_, path) => {
  expect(() => requireResultPath(path)).toThrow(BadPath);
});
