import { namedAddresses } from '@palabre/text';
import fc from 'fast-check';

import { markdownHtml } from './markdown-html.js';

/** The links of a text, each with whether it is marked, where these addresses are trusted. */
function linksIn(text: string, trusted: readonly string[] | null): { href: string; isMarked: boolean }[] {
  const html = markdownHtml(text, { markers: [], trusted });
  return Array.from(html.matchAll(/<a href="([^"]*)"([^>]*)>/g), ([, href = '', rest = '']) => ({
    href,
    isMarked: rest.includes('class="foreign"'),
  }));
}

const trusted = [...namedAddresses('Is https://good.test/a?b=1 or good.test/c right?')];

it.each([
  'See www.evil.test" now',
  '_www.evil.test',
  '~www.evil.test',
  'hhttp://evil.test',
  '1https://evil.test',
  'https://evil.test，請',
  'www.evil.test*x*',
  'a@evil.test',
  'foo@www.evil.test',
  '[x](https:evil.test)',
  String.raw`[x](https:\/\/evil\.test)`,
  '[x][y]\n\n[y]: https:\\\\evil.test',
  '<https://good.test@evil.test>',
  '![](https://evil.test/good.test/c)',
  'https://good.test/a?b=2',
])('marks the links of %j', (text) => {
  const links = linksIn(text, trusted);
  expect(links).not.toEqual([]);
  expect(links.filter(({ isMarked }) => !isMarked)).toEqual([]);
});

it.each([
  'https://good.test/a?b=1',
  'http://good.test/a?b=1#c',
  '[x](https://GOOD.test/c)',
  String.raw`[x](https:\\\\good.test/c)`,
])('marks no link of %j, which the question names', (text) => {
  expect(linksIn(text, trusted)).toMatchObject([{ isMarked: false }]);
});

it('marks none where all addresses are trusted', () => {
  expect(linksIn('https://evil.test a@evil.test', null).map(({ isMarked }) => isMarked)).toEqual([
    false,
    false,
  ]);
});

it('marks every link to another host, however it is spelled', () => {
  const piece = fc.oneof(
    fc.constantFrom('http', 'HTTPS', 'mailto', ':', '/', '//', '\\', 'www.', '@', 'evil.test', 'good.test/c'),
    fc.constantFrom('[x](', ')', '<', '>', '![', ']', '](', '[y]: ', '\n\n', ' ', '*', '_', '~', '`', '"'),
    fc.constantFrom('&colon;', '%2e', '，', '.', 'a', '1', '#', '?', '\u00ad', '\t', '|'),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.constantFrom('www.', 'https://', 'a@'),
      (pieces, start) => {
        const unmarked = linksIn(`${pieces.join('')} ${start}evil.test`, trusted).flatMap(
          ({ href, isMarked }) => (isMarked ? [] : new URL(href).host),
        );
        expect(unmarked.filter((host) => host !== 'good.test')).toEqual([]);
      },
    ),
    { numRuns: 2_000 },
  );
});
