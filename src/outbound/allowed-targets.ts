import ipaddr from 'ipaddr.js';

import { isPublicAddress } from './public-address.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** What may be reached: what is public, and what the operator has opened besides. */
export class AllowedTargets {
  private readonly hosts = new Set<string>();
  private readonly ranges: Range[] = [];

  /** `allow`: hosts, hosts with a port, IP addresses or CIDR ranges. Throws on what is none of these. */
  constructor(allow: readonly string[]) {
    for (const entry of allow) {
      const range = rangeOf(entry);
      if (range) this.ranges.push(range);
      else this.hosts.add(hostOf(entry));
    }
  }

  /** Whether the operator has opened this host by name: then it does not matter which address it has. */
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

const rangeOf = (entry: string): Range | null => {
  const text = entry.replace(/^\[(.*)\]$/, '$1');
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null;
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
};

/** A host as URLs have it, with its port where the entry names one. */
const hostOf = (entry: string): string => {
  const url = URL.parse(`http://${entry}`);
  if (!url || entry.includes('/') || url.username || url.search || url.hash || !url.hostname) {
    throw new Error(`${entry} is neither a host, nor a host with a port, nor an IP address or CIDR range.`);
  }
  // The URL leaves out port 80, which the entry may well mean.
  return entry.endsWith(':80') ? `${url.hostname}:80` : url.host;
};

const portOf = (url: URL): string => url.port || (url.protocol === 'https:' ? '443' : '80');
