import { linkedAddresses, namedAddresses, normalAddress, markdownLinks } from './web-addresses.js';

describe('the addresses that a text names', () => {
  it.each([
    ['Lis https://example.org/prix.', 'https://example.org/prix'],
    ['Lis http://Example.org/prix !', 'https://example.org/prix'],
    ['(see example.org/prix)', 'https://example.org/prix'],
    ['example.org', 'https://example.org'],
    ['[prix](https://example.org/prix?an=2026#bas)', 'https://example.org/prix?an=2026'],
    ['請讀https://example.org/價格。謝謝', 'https://example.org/價格'],
    ['https://example.org/wiki/Énergie_(physique)', 'https://example.org/wiki/Énergie_(physique)'],
    ['<https://example.org/>', 'https://example.org'],
  ])('%s', (text, address) => {
    expect(namedAddresses(text)).toContain(normalAddress(address));
  });

  it.each([
    ['https://example.org/prix', 'https://example.org/prix?secret=1'],
    ['https://example.org/prix', 'https://example.org.evil.test/prix'],
    ['https://example.org/prix', 'https://user:secret@example.org/prix'],
    ['https://example.org/prix', 'https://example.org:8443/prix'],
    ['https://example.org/prix', 'https://example.org/'],
    ['Rien du tout.', 'https://rien'],
  ])('%s does not name %s', (text, address) => {
    expect(namedAddresses(text)).not.toContain(normalAddress(address));
  });

  it('are of the web', () => {
    expect(normalAddress('ftp://example.org/')).toBeNull();
    expect(normalAddress('not an address')).toBeNull();
  });
});

it('is found in each of several that nothing stands between', () => {
  const linked = linkedAddresses('[a](https://a.test/a),![b](https://b.test/b)https://c.test/c');
  for (const address of ['https://a.test/a', 'https://b.test/b', 'https://c.test/c'])
    expect(linked).toContain(address);
  expect(namedAddresses('https://archive.test/https://a.test/a')).toContain(
    'https://archive.test/https://a.test/a',
  );
});

it('is linked to with a scheme alone, or what stands in its place', () => {
  const text = 'Voir example.org, ![x](//evil.test/p.png?d=1) et [y](https://example.org/y).';
  const linked = linkedAddresses(text);
  expect(linked).toContain('https://evil.test/p.png?d=1');
  expect(linked).toContain('https://example.org/y');
  expect([...linked].filter((address) => address === 'https://example.org/')).toEqual([]);
});

describe('the links of a Markdown text', () => {
  it.each<[string, [url: string, image: boolean][]]>([
    ['Nothing leads away: [up](#top), [there](/files/a), a.b.', []],
    ['See [it](https://a.test/x?y=1 "It").', [['https://a.test/x?y=1', false]]],
    ['See https://a.test/x, please.', [['https://a.test/x', false]]],
    ['See <https://a.test/x>.', [['https://a.test/x', false]]],
    ['![](https://a.test/p.png?d=42)', [['https://a.test/p.png?d=42', true]]],
    ['![a][logo]\n\n[logo]: //a.test/p.png', [['https://a.test/p.png', true]]],
    [
      '[![a](https://a.test/p.png)](https://b.test/)',
      [
        ['https://b.test/', false],
        ['https://a.test/p.png', true],
      ],
    ],
    ['| a |\n| - |\n| ![b](https://a.test/p.png) |', [['https://a.test/p.png', true]]],
    ['Look: <img src="https://a.test/p.png">', [['https://a.test/p.png', true]]],
    ['<div>\n<img src=https://a.test/p.png>\n</div>', [['https://a.test/p.png', true]]],
    ['`https://a.test/x`', []],
    ['[https://a.test/x](https://a.test/x) ![](https://a.test/x)', [['https://a.test/x', true]]],
    ['[write](mailto:awa@a.test)', [['mailto:awa@a.test', false]]],
  ])('%j', (text, links) => {
    expect(markdownLinks(text).map(({ url, image }) => [url, image])).toEqual(links);
  });
});
