import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

import { Semaphore } from '@palabre/async';

/** What the name servers say of a name, or the system, which also knows the names in its own files. */
export interface NameSources {
  resolver: Pick<Resolver, 'resolve4' | 'resolve6'>;
  system: LookupFunction;
}

/** Twice, so that a look-up is over before the time for connecting is. */
const NAME_SERVER_MS = 2_000;
const SYSTEM_WAIT_MS = 4_000;

/** The name servers have no answer yet, which the system would wait for as well. */
const unanswered: ReadonlySet<string> = new Set(['ETIMEOUT', 'ESERVFAIL', 'EREFUSED', 'ECANCELLED']);

/**
 * Looks up names that anybody may have chosen. The system's own look-up takes one of the two threads that the process has
 * for it, for as long as the name's servers are silent: a few such names would stop the look-ups of everybody else. So
 * name servers are asked first, which takes no thread, and the system only for what they do not know, one at a time.
 */
export function lookupOfAnyName(sources?: Partial<NameSources>): LookupFunction {
  const resolver = sources?.resolver ?? new Resolver({ timeout: NAME_SERVER_MS, tries: 2 });
  const system = sources?.system ?? (systemLookup as LookupFunction);
  const oneAtATime = new Semaphore(1, SYSTEM_WAIT_MS, tryAgain);
  const find = callbackify(
    async (name: string) =>
      (await askNameServers(resolver, name)) ?? oneAtATime.run(() => askSystem(system, name)),
  );
  return (name, _options, callback) => find(name, (error, found) => callback(error, error ? [] : found));
}

/** Null: they do not know the name. */
async function askNameServers(
  resolver: NameSources['resolver'],
  name: string,
): Promise<LookupAddress[] | null> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found.map((address) => ({ address, family: isIP(address) }));
  const isUnanswered = answers.some(
    (answer) => answer.status === 'rejected' && unanswered.has(codeOf(answer.reason)),
  );
  if (isUnanswered) throw tryAgain();
  return null;
}

function askSystem(system: LookupFunction, name: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    system(name, { all: true }, (error, found, family) => {
      if (error) reject(error);
      else resolve(typeof found === 'string' ? [{ address: found, family: family ?? isIP(found) }] : found);
    });
  });
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}

function tryAgain(): NodeJS.ErrnoException {
  return Object.assign(new Error('The name could not be looked up.'), { code: 'EAI_AGAIN' });
}
