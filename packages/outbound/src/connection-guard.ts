import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

import { AllowedTargets } from './allowed-targets.js';
import { lookupOfAnyName } from './name-lookup.js';
import { OutboundError } from './outbound-http.js';

/** Keeps another client from connecting to addresses that OutboundHttp refuses. */
export class ConnectionGuard {
  private readonly targets: AllowedTargets;
  /** For hosts that the operator allows by name. */
  private readonly openLookup: LookupFunction;
  private readonly lookup: LookupFunction;

  /** `allow`: reachable hosts and CIDR ranges besides public addresses. */
  constructor(allow: readonly string[], lookup?: LookupFunction) {
    this.targets = new AllowedTargets(allow);
    this.openLookup = lookup ?? (systemLookup as LookupFunction);
    this.lookup = lookup ?? lookupOfAnyName();
  }

  /** The lookup for the host of `url`. Throws OutboundError for a forbidden address. */
  lookupOf(url: URL): LookupFunction {
    if (this.targets.isNamed(url)) return this.openLookup;
    const mayReach = (address: string): boolean => this.targets.mayReach(address);
    // IP addresses are not looked up, so they are checked here.
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) !== 0 && !mayReach(host)) throw blocked();
    return guardedLookup(mayReach, this.lookup);
  }
}

/** A name is looked up once, and the connection uses the checked address, which prevents DNS rebinding. */
export function guardedLookup(
  mayReach: (address: string) => boolean,
  lookup: LookupFunction,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found, family) => {
      if (error) return callback(error, []);
      const all = typeof found === 'string' ? [{ address: found, family: family ?? isIP(found) }] : found;
      const reachable = all.filter(({ address }) => mayReach(address));
      const [first] = reachable;
      if (!first) return callback(blocked(), []);
      return options.all ? callback(null, reachable) : callback(null, first.address, first.family);
    });
  };
}

export function blocked(): OutboundError {
  return new OutboundError('BLOCKED', 'The address belongs to a network that may not be reached from here.');
}
