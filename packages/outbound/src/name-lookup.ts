import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

import { Semaphore } from '@palabre/async';

/** Resolves names by name servers, and by the system, which also has its own files. */
export interface NameSources {
  resolver: Pick<Resolver, 'resolve4' | 'resolve6'>;
  system: LookupFunction;
}

/** Two attempts take less than the time for connecting. */
const NAME_SERVER_MS = 2_000;
const SYSTEM_WAIT_MS = 4_000;

/** Errors without an answer. The system would wait for one as well. */
const unanswered: ReadonlySet<string> = new Set(['ETIMEOUT', 'ESERVFAIL', 'EREFUSED', 'ECANCELLED']);

/**
 * Resolves names that anybody may have chosen. A system lookup holds one of the process's two lookup threads while a
 * name's servers are silent, so a few such names would block everybody. Name servers are therefore asked first, which
 * takes no thread, and the system only for unknown names, one at a time.
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

/** Null: the name is unknown to them. */
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
