import { isIP, type LookupFunction } from 'node:net';

import { buildConnector } from 'undici';

import { OutboundError } from './outbound-http.js';

const blocked = (): OutboundError =>
  new OutboundError('BLOCKED', 'The address belongs to a network that may not be reached from here.');

/**
 * Connects to addresses of which `mayReach` is true. A name is looked up once, and what was checked is what is
 * connected to: a name that stands for another address a moment later gains nothing.
 */
export const guardedConnector = (
  mayReach: (address: string) => boolean,
  lookup: LookupFunction,
  timeout: number,
): buildConnector.connector => {
  const connect = buildConnector({ timeout, lookup: guardedLookup(mayReach, lookup) });
  return (options, callback) => {
    // An address is not looked up.
    if (isIP(options.hostname) !== 0 && !mayReach(options.hostname)) {
      queueMicrotask(() => callback(blocked(), null));
      return;
    }
    connect(options, callback);
  };
};

const guardedLookup =
  (mayReach: (address: string) => boolean, lookup: LookupFunction): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found, family) => {
      if (error) return callback(error, []);
      const all = typeof found === 'string' ? [{ address: found, family: family ?? isIP(found) }] : found;
      const reachable = all.filter(({ address }) => mayReach(address));
      const [first] = reachable;
      if (!first) return callback(blocked(), []);
      return options.all ? callback(null, reachable) : callback(null, first.address, first.family);
    });
  };
