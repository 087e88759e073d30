import fc from 'fast-check';

import { SkillError } from '@palabre/plugin';
import { BadTemplate, readTemplate } from './url-template.js';

function expand(
  template: string,
  input: Record<string, string | number | boolean | null | string[]>,
): string {
  return readTemplate(template).expand(input).href;
}

it.each([
  ['https://api.example.com/items/{id}', { id: 7 }, 'https://api.example.com/items/7'],
  [
    'https://api.example.com/items/{id}',
    { id: 'a/b?c#d e' },
    'https://api.example.com/items/a%2Fb%3Fc%23d%20e',
  ],
  [
    'https://api.example.com/items{/id}{?page,size}',
    { id: 'é', page: 2 },
    'https://api.example.com/items/%C3%A9?page=2',
  ],
  ['https://api.example.com{?q}', { q: 'a&b=c' }, 'https://api.example.com/?q=a%26b%3Dc'],
  ['https://api.example.com/s?fixed=1{&q}', {}, 'https://api.example.com/s?fixed=1'],
  ['https://api.example.com/s?q={q}', { q: '..' }, 'https://api.example.com/s?q=..'],
  ['https://api.example.com/{ids}', { ids: ['a', 'b,c'] }, 'https://api.example.com/a,b%2Cc'],
  ['https://api.example.com/s{?tags,page}', { tags: [], page: 2 }, 'https://api.example.com/s?page=2'],
  ['https://api.example.com/s?fixed=1{&tags}', { tags: [] }, 'https://api.example.com/s?fixed=1'],
  ['HTTP://Api.Example.com:8080/x', {}, 'http://api.example.com:8080/x'],
])('%s with %j is %s', (template, input, expected) => {
  expect(expand(template, input)).toBe(expected);
});

it.each([
  ['https://a.example/x', []],
  ['https://a.example/x?api_key=abc&units={units}', ['api_key']],
  ['https://a.example/x{?page}&sig=abc', ['sig']],
  ['https://a.example/x?page={page}{&sig}', []],
  ['https://a.example/x?page=1{&page}&sig=a{page}', ['page', 'sig']],
])('%s has the names %j in its query whose values are no arguments', (template, names) => {
  expect(readTemplate(template).fixedQuery).toEqual(names);
});

it.each([
  'https://{host}/x',
  'https://api.{host}/x',
  'https://api.example.com{host}',
  'https://api.example.com{.host}/x',
  'https://api.example.com:{port}/x',
  '{scheme}://api.example.com',
  'https://user:secret@api.example.com/',
  'https://api.example.com@evil.example/',
  'https://api.example.com/{+path}',
  'https://api.example.com/x{#part}',
  'https://api.example.com/{id:3}',
  'https://api.example.com/{list*}',
  'https://api.example.com/{a b}',
  'https://api.example.com/{}',
  'https://api.example.com/{id',
  'https://api.example.com/id}',
  'https://api.example.com/../{id}',
  'https://api.example.com/%2e%2E/{id}',
  'https://api.example.com/a#b',
  'https://api.example.com\\evil/',
  'https://api.example.com/x{&page}',
  'ftp://api.example.com/',
  '/items/{id}',
  'https://',
  `https://api.example.com/${'a'.repeat(2_000)}`,
])('%s is refused when it is written', (template) => {
  expect(() => readTemplate(template)).toThrow(BadTemplate);
});

it.each([
  ['http://1.2.3.4.5/', '1.2.3.4.5 is not an address'],
  ['http://256.1.1.1/{id}', '256.1.1.1 is not an address'],
  ['https://api.example.com:99999/', 'api.example.com:99999 is not an address'],
  ['https://[::1/', '[::1 is not an address'],
  ['https://{host}.example.com/', 'a host without variables'],
])('%s is refused by what is wrong with it', (template, words) => {
  expect(() => readTemplate(template)).toThrow(words);
});

it.each([
  ['nothing', null],
  ['an empty text', ''],
  ['the folder above', '..'],
  ['the folder above, escaped', '%2e%2E'],
  ['the folder above, escaped twice', '%252e%252e'],
  ['a path that leads above', 'a/../../b'],
  ['a path that leads above, with backslashes', '..\\admin'],
  ['half of a character', 'a\ud800'],
  ['a NUL', 'a\0b'],
  ['an empty list', []],
  ['too much', 'a'.repeat(3_000)],
])('%s is no part of a path', (_, id) => {
  expect(() => expand('https://api.example.com/v1/items/{id}/notes', { id })).toThrow(SkillError);
});

it('does not let an object be part of an address', () => {
  expect(() => readTemplate('https://a.example/{id}').expand({ id: { a: 1 } })).toThrow(SkillError);
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '.',
        '..',
        '/',
        '\\',
        '?',
        '#',
        '@',
        ':',
        '%2e',
        '%2F',
        '%5c',
        '%25',
        '//',
        '{',
        'a',
        '&',
        '=',
      ),
    )
    .map((parts) => parts.join('')),
);

it('lets no argument change the host, leave the path, or add to it', () => {
  const template = readTemplate('https://api.example.com/v1/{a}/x{/b}/{c}{d}?fixed=1{&q}');
  let refused = 0;
  let expanded = 0;
  fc.assert(
    fc.property(hostile, hostile, hostile, hostile, hostile, (a, b, c, d, q) => {
      let url: URL;
      try {
        url = template.expand({ a, b, c, d, q });
      } catch (error) {
        expect(error).toBeInstanceOf(SkillError);
        refused += 1;
        return;
      }
      expanded += 1;
      expect(url.origin).toBe('https://api.example.com');
      const parts = url.pathname.split('/');
      expect(parts).toHaveLength(6);
      expect(parts[1]).toBe('v1');
      expect(parts[3]).toBe('x');
      expect([decodeURIComponent(parts[2]!), decodeURIComponent(parts[4]!)]).toEqual([a, b]);
      expect(url.hash).toBe('');
      expect([...url.searchParams]).toEqual([
        ['fixed', '1'],
        ['q', q],
      ]);
    }),
    { numRuns: 1_000 },
  );
  expect(Math.min(refused, expanded)).toBeGreaterThan(0);
});
