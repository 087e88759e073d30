import ipaddr from 'ipaddr.js';

/** Public by its range, and yet a service of the machine's own network: Azure's WireServer. */
const notPublic = new Set(['168.63.129.16']);

const globalUnicast = ipaddr.parseCIDR('2000::/3');
const nat64 = ipaddr.parseCIDR('64:ff9b::/96');

/** Whether an IP address is one of the open internet. What is no address, or of a kind not known, is not. */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false;
  // An IPv4 address written as IPv6 is the IPv4 address.
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.range() === 'unicast' && !notPublic.has(address.toString());
  const carried = carriedBy(address);
  if (carried !== null) return isPublicAddress(carried);
  return address.range() === 'unicast' && address.match(globalUnicast);
};

/** The IPv4 address that a translator or a tunnel makes of an IPv6 one. */
const carriedBy = (address: ipaddr.IPv4 | ipaddr.IPv6): string | null => {
  const bytes = address.toByteArray();
  if (address.match(nat64)) return bytes.slice(12).join('.');
  return address.range() === '6to4' ? bytes.slice(2, 6).join('.') : null;
};
