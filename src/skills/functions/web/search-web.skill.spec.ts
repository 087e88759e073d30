import { readAnswer, searchAddress } from './search-web.skill.js';

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

function answerOf(...results: unknown[]): string {
  return JSON.stringify({ query: 'q', results });
}

it('gives of each result what a model needs', () => {
  const json = answerOf(
    { url: 'https://a.example/1', title: ' A\n title ', content: 'x'.repeat(500), engine: 'bing', score: 1 },
    { url: 'https://a.example/2', title: null, publishedDate: '2026-01-02T00:00:00' },
  );
  expect(readAnswer(json, 10)?.pages).toEqual([
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
  const found = readAnswer(answerOf(...urls.map((url) => ({ url, title: 't' }))), 10)?.pages;
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
  expect(readAnswer(json, 2)?.pages.map(({ title }) => title)).toEqual(['b', 'c']);
});

it.each(['', '<html>', '[]', '{}', '{"results":7}'])('takes %j for no answer', (json) => {
  expect(readAnswer(json, 5)).toBeNull();
});

it('gives what engines answer themselves, and what stands in boxes', () => {
  const json = JSON.stringify({
    results: [],
    answers: [
      { template: 'answer/legacy.html', answer: '10 EUR =\n6559.57 XOF', url: 'https://rates.example/' },
      'as older versions do',
      { translations: [] },
    ],
    infoboxes: [
      {
        infobox: 'Dakar',
        id: 'https://en.wikipedia.org/wiki/Dakar',
        content: 'Capital of Senegal.',
        attributes: [
          { label: 'Population', value: '1,438,725' },
          { label: 'Flag', image: {} },
        ],
      },
      { infobox: 'Nothing said' },
      7,
    ],
  });
  expect(readAnswer(json, 5)).toEqual({
    pages: [],
    answers: [
      { text: '10 EUR = 6559.57 XOF', url: 'https://rates.example/' },
      { text: 'as older versions do', url: null },
      {
        text: 'Dakar: Capital of Senegal.; Population: 1,438,725',
        url: 'https://en.wikipedia.org/wiki/Dakar',
      },
    ],
    silent: [],
  });
});

it('tells which engines gave nothing', () => {
  const engines = [['google', 'Suspended: CAPTCHA'], ['qwant', 'timeout'], 'bing'];
  expect(readAnswer(JSON.stringify({ results: [], unresponsive_engines: engines }), 5)?.silent).toEqual([
    'google (Suspended: CAPTCHA)',
    'qwant (timeout)',
  ]);
});
