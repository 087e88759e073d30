import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The reachable addresses: public ones, and those that the operator allows. */
export class AllowedTargets {
  private readonly hosts = new Set<string>();
  private readonly ranges: Range[] = [];

  /** `allow` holds hosts, hosts with a port, IP addresses and CIDR ranges. Throws on anything else. */
  constructor(allow: readonly string[]) {
    for (const entry of allow) {
      const range = rangeOf(entry);
      if (range) this.ranges.push(range);
      else this.hosts.add(hostOf(entry));
    }
  }

  /** Whether the operator allows this host by name. Then it may have any address. */
  isNamed(url: URL): boolean {
    return this.hosts.has(url.hostname) || this.hosts.has(`${url.hostname}:${portOf(url)}`);
  }

  mayReach(address: string): boolean {
    return isPublicAddress(address) || (ipaddr.isValid(address) && this.isInRange(ipaddr.process(address)));
  }

  private isInRange(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
    return this.ranges.some((range) => range[0].kind() === address.kind() && address.match(range));
  }
}

function rangeOf(entry: string): Range | null {
  const text = entry.replace(/^\[(.*)\]$/, '$1');
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null;
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** The host in the form of URLs, with the port of the entry. */
function hostOf(entry: string): string {
  const url = URL.parse(`http://${entry}`);
  if (!url || entry.includes('/') || url.username || url.search || url.hash || !url.hostname)
    throw new Error(`${entry} is neither a host, nor a host with a port, nor an IP address or CIDR range.`);
  // A URL drops port 80, the default, but the entry means only this port.
  return entry.endsWith(':80') ? `${url.hostname}:80` : url.host;
}

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}

/** A public address that is a local service: Azure's WireServer. */
const notPublic = new Set(['168.63.129.16']);

const globalUnicast = ipaddr.parseCIDR('2000::/3');
const nat64 = ipaddr.parseCIDR('64:ff9b::/96');

/** Whether `text` is an IP address of the public internet. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  // An IPv4 address written as IPv6 is the IPv4 address.
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.range() === 'unicast' && !notPublic.has(address.toString());
  const carried = carriedBy(address);
  if (carried !== null) return isPublicAddress(carried);
  return address.range() === 'unicast' && address.match(globalUnicast);
}

/** The IPv4 address within a NAT64 or 6to4 address. */
function carriedBy(address: ipaddr.IPv4 | ipaddr.IPv6): string | null {
  const bytes = address.toByteArray();
  if (address.match(nat64)) return bytes.slice(12).join('.');
  return address.range() === '6to4' ? bytes.slice(2, 6).join('.') : null;
}
