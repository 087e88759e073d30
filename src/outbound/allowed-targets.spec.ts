import { AllowedTargets } from './allowed-targets.js';

const isNamed = (entry: string, url: string): boolean => new AllowedTargets([entry]).isNamed(new URL(url));

it.each([
  ['intranet', 'http://intranet/', true],
  ['intranet', 'https://INTRANET:8443/a', true],
  ['intranet', 'http://other.intranet/', false],
  ['Wiki.Example', 'http://wiki.example/', true],
  ['intranet:8080', 'http://intranet:8080/', true],
  ['intranet:8080', 'http://intranet/', false],
  ['intranet:80', 'http://intranet/', true],
  ['intranet:80', 'https://intranet/', false],
  ['intranet:443', 'https://intranet/', true],
  ['10.0.0.5:8080', 'http://10.0.0.5:8080/', true],
  ['10.0.0.5:8080', 'http://10.0.0.5/', false],
  ['[fd00::1]:8080', 'http://[fd00::1]:8080/', true],
])('%s names the host of %s: %s', (entry, url, expected) => {
  expect(isNamed(entry, url)).toBe(expected);
});

it.each([
  ['10.0.0.0/8', '10.9.8.7', true],
  ['10.0.0.0/8', '::ffff:10.9.8.7', true],
  ['10.0.0.0/8', '192.168.0.1', false],
  ['10.0.0.0/8', 'fd00::1', false],
  ['10.0.0.5', '10.0.0.5', true],
  ['10.0.0.5', '10.0.0.6', false],
  ['fd00::/8', 'fd12::1', true],
  ['[fd00::1]', 'fd00::1', true],
  ['intranet', '10.0.0.5', false],
])('%s opens %s: %s', (entry, address, expected) => {
  expect(new AllowedTargets([entry]).mayReach(address)).toBe(expected);
});

it('leaves open what is public', () => {
  expect(new AllowedTargets([]).mayReach('1.1.1.1')).toBe(true);
});

it.each(['http://intranet', 'a/b', '10.0.0.0/33', 'user@host', 'host:99999', 'a b', ''])(
  'refuses %j',
  (entry) => {
    expect(() => new AllowedTargets([entry])).toThrow('neither a host');
  },
);
