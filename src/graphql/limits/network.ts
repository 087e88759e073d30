import { hash } from 'node:crypto';

/** One of 65,536, so that no crowd of addresses fills the memory of what counts them. */
export const bucketOf = (address: string): string => hash('sha256', networkOf(address)).slice(0, 4);

const IPV6_GROUPS = 8;
const NETWORK_GROUPS = 4;

/** The address itself in IPv4. In IPv6 the first half: the other one is the client's own to choose. */
export const networkOf = (address: string): string => {
  // IPv4 as a socket for both kinds tells it: ::ffff:192.0.2.1
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = address.includes('::') ? IPV6_GROUPS - head.length - tail.length : 0;
  const groups = [...head, ...Array<string>(Math.max(0, zeros)).fill('0'), ...tail];
  return groups.slice(0, NETWORK_GROUPS).join(':');
};
