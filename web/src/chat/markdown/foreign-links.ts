import { normalAddress } from '@palabre/text/browser.js';

/**
 * Whether strangers may have had a link written. Only an address that is known to come from nobody strange is not
 * foreign, so it does not matter how a link is spelled. Null: no link can be foreign.
 */
export function isForeignLink(url: URL, trusted: readonly string[] | null): boolean {
  return trusted !== null && !trusted.includes(normalAddress(url.href) ?? '');
}
