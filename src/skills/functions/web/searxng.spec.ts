import { readResults, searchAddress } from './searxng.js';

it.each([
  ['fr', 'fr'],
  ['pt-BR', 'pt-BR'],
  ['zh-Hant', 'zh-TW'],
  ['zh-Hans', 'zh-CN'],
  ['zh-CN', 'zh-CN'],
])('asks in %s as %s', (language, expected) => {
  const url = new URL(searchAddress('http://search/sub', 'a & b=c', language));
  expect(url.pathname).toBe('/sub/search');
  expect(Object.fromEntries(url.searchParams)).toEqual({ q: 'a & b=c', format: 'json', language: expected });
});

const answerOf = (...results: unknown[]): string => JSON.stringify({ query: 'q', results });

it('gives of each result what a model needs', () => {
  const json = answerOf(
    { url: 'https://a.example/1', title: ' A\n title ', content: 'x'.repeat(500), engine: 'bing', score: 1 },
    { url: 'https://a.example/2', title: null, publishedDate: '2026-01-02T00:00:00' },
  );
  expect(readResults(json, 10)).toEqual([
    {
      title: 'A title',
      url: 'https://a.example/1',
      snippet: `${'x'.repeat(399)}…`,
      published: null,
      engine: 'bing',
    },
    { title: '', url: 'https://a.example/2', snippet: '', published: '2026-01-02T00:00:00', engine: null },
  ]);
});

it('gives a page once, whatever its address is written like', () => {
  const urls = [
    'https://www.a.example/p/?b=2&a=1&utm_source=x#top',
    'http://a.example/p?a=1&b=2',
    'https://A.example/p/?a=1&b=2&fbclid=3',
    'https://a.example/p?a=1',
  ];
  const found = readResults(answerOf(...urls.map((url) => ({ url, title: 't' }))), 10);
  expect(found?.map(({ url }) => url)).toEqual([urls[0], urls[3]]);
});

it('leaves out what is no web page, and what is too much', () => {
  const json = answerOf(
    { url: 'magnet:?xt=1', title: 'no' },
    { url: 'javascript:alert(1)', title: 'no' },
    { url: 7 },
    null,
    ...['b', 'c', 'd'].map((name) => ({ url: `https://${name}.example/`, title: name })),
  );
  expect(readResults(json, 2)?.map(({ title }) => title)).toEqual(['b', 'c']);
});

it.each(['', '<html>', '[]', '{}', '{"results":7}'])('takes %j for no answer', (json) => {
  expect(readResults(json, 5)).toBeNull();
});
