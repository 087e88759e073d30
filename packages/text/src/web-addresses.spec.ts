import { namedAddresses, normalAddress } from './web-addresses.js';

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
  const named = namedAddresses('[a](https://a.test/a),![b](https://b.test/b)https://c.test/c');
  for (const address of ['https://a.test/a', 'https://b.test/b', 'https://c.test/c'])
    expect(named).toContain(address);
  expect(namedAddresses('https://archive.test/https://a.test/a')).toContain(
    'https://archive.test/https://a.test/a',
  );
});
