import { AllowedTargets, isPublicAddress } from './allowed-targets.js';

function isNamed(entry: string, url: string): boolean {
  return new AllowedTargets([entry]).isNamed(new URL(url));
}

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

it.each([
  '1.1.1.1',
  '93.184.216.34',
  '2606:4700:4700::1111',
  '::ffff:1.1.1.1',
  '64:ff9b::101:101',
  '2002:101:101::1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each([
  ['unspecified', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['private', '10.1.2.3'],
  ['private', '172.31.255.255'],
  ['private', '192.168.0.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['carrier-grade NAT', '100.100.100.200'],
  ['link-local', '169.254.169.254'],
  ['of the platform', '168.63.129.16'],
  ['protocols', '192.0.0.192'],
  ['documentation', '203.0.113.7'],
  ['benchmarks', '198.19.0.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['link-local', 'fe80::1'],
  ['link-local', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['unique local', 'fd00:ec2::254'],
  ['multicast', 'ff02::1'],
  ['documentation', '2001:db8::1'],
  ['discard', '100::1'],
  ['Teredo', '2001:0:53aa:64c::1'],
  ['not assigned', '4000::1'],
  ['IPv4-mapped', '::ffff:127.0.0.1'],
  ['IPv4-mapped', '::ffff:a9fe:a9fe'],
  ['IPv4-compatible', '::127.0.0.1'],
  ['IPv4-translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::10.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['local NAT64', '64:ff9b:1::101:101'],
  ['6to4', '2002:7f00:1::1'],
  ['6to4', '2002:c0a8:1::1'],
  ['octal', '0177.0.0.1'],
  ['decimal', '2130706433'],
  ['hexadecimal', '0x7f000001'],
  ['a name', 'example.org'],
  ['nothing', ''],
])('%s: %s is not public', (_, address) => {
  expect(isPublicAddress(address)).toBe(false);
});
