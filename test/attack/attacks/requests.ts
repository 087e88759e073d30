import { gzipSync } from 'node:zlib';

import { getIntrospectionQuery } from 'graphql';

import { MALFORMED_REQUESTS, NO_REQUESTS, ROUTES } from '../../harness/malformed-requests.js';
import type { Attack, Attacker } from '../attacker.js';

const UNSIGNED = { authorization: '' };
const VARIABLES = 'query ($input: StartTurnInput!) { viewer { id } }';

/** One after the other from a list, round and round. */
function inTurns<T>(list: readonly T[], count: number): T {
  return list[count % list.length]!;
}

function malformed(isMeant: (rest: string) => boolean) {
  return (attacker: Attacker): Promise<void> => {
    const requests = MALFORMED_REQUESTS.filter(([, rest]) => isMeant(rest)).flatMap(([, rest]) =>
      ROUTES.flatMap((route) =>
        ['POST', 'GET'].map((method) => `${method} ${route} HTTP/1.1\r\nHost: a\r\n${rest}`),
      ),
    );
    return attacker.storm(8, (count) => attacker.sendAsItIs(inTurns(requests, count)));
  };
}

function isAboutBodies(rest: string): boolean {
  return /^(?:Content|Transfer)/.test(rest);
}

/** As many keys as a body has room for. */
function manyKeys(count: number): string {
  return JSON.stringify({ query: VARIABLES, variables: { input: Object.fromEntries(numbered(count)) } });
}
function numbered(count: number): [string, number][] {
  return Array.from({ length: count }, (_, index) => [`key${index}`, index]);
}

function deep(levels: number): string {
  return `{"query":"{ viewer { id } }","variables":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
}

function posting(bodyOf: (count: number) => string, headers: Record<string, string> = {}, atOnce = 4) {
  return (attacker: Attacker): Promise<void> =>
    attacker.storm(atOnce, (count) => attacker.post(bodyOf(count), headers));
}

function query(text: string): string {
  return JSON.stringify({ query: text });
}

function getting(path: string | ((count: number) => string), init: RequestInit = {}) {
  return (attacker: Attacker): Promise<void> =>
    attacker.storm(8, async (count) =>
      (await attacker.request(typeof path === 'string' ? path : path(count), init)).arrayBuffer(),
    );
}

/** Heads, bodies and addresses, by somebody without a token or with one. */
export const requestAttacks: Attack[] = [
  { name: 'malformed heads on every route', run: malformed((rest) => !isAboutBodies(rest)) },
  { name: 'malformed bodies on every route', isQuick: true, run: malformed(isAboutBodies) },
  {
    name: 'bytes that are no request',
    run: (attacker) => attacker.storm(8, (count) => attacker.sendAsItIs(inTurns(NO_REQUESTS, count)[1])),
  },
  { name: 'health asked without a pause', run: getting('/health/ready') },
  { name: 'metrics asked without a pause', run: getting('/metrics') },
  { name: 'the explorer asked without a pause', run: getting('/explorer') },
  {
    name: 'paths that climb',
    run: getting((count) => `/files/${'..%2f'.repeat(1 + (count % 50))}etc/passwd`),
  },
  { name: 'GET operations', run: getting('/graphql?query=%7B__typename%7D') },
  {
    name: 'long GET operations',
    run: getting(
      (count) => `/graphql?query=${encodeURIComponent(`{ ${'__typename '.repeat(900)} # ${count}`)}`,
    ),
  },
  {
    name: 'preflights',
    run: getting('/graphql', {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
    }),
  },
  { name: 'bodies of 1 MB without a token', run: posting(() => query(' '.repeat(1_000_000)), UNSIGNED) },
  { name: 'bodies of 16 MB without a token', run: posting(() => query(' '.repeat(16_000_000)), UNSIGNED, 2) },
  { name: 'bodies of 15 MB', run: posting(() => query(' '.repeat(15_000_000)), {}, 2) },
  { name: '80,000 keys without a token', isQuick: true, run: posting(() => manyKeys(80_000), UNSIGNED) },
  { name: '80,000 keys', run: posting(() => manyKeys(80_000)) },
  { name: '49,000 keys', run: posting(() => manyKeys(49_000)) },
  { name: 'deep JSON without a token', run: posting(() => deep(200_000), UNSIGNED) },
  { name: 'deep JSON', run: posting(() => deep(200_000)) },
  {
    name: 'introspection without a token',
    run: posting((count) => query(`${getIntrospectionQuery()} # ${count}`), UNSIGNED),
  },
  { name: 'introspection', run: posting((count) => query(`${getIntrospectionQuery()} # ${count}`)) },
  {
    name: 'documents of 2,000 tokens without a token',
    run: posting((count) => query(`{ ${'viewer { id } '.repeat(490)} # ${count}`), UNSIGNED),
  },
  {
    name: 'bad tokens',
    run: posting(
      () => query('{ viewer { id } }'),
      { authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.AAAA' },
      8,
    ),
  },
  {
    name: 'unsigned tokens of 8 KB',
    run: posting(() => query('{ viewer { id } }'), {
      authorization: `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.${'a'.repeat(8_000)}.`,
    }),
  },
  {
    name: 'guessed API keys',
    run: posting(() => query('{ viewer { id } }'), { authorization: `Bearer pk_${'0'.repeat(40)}` }, 8),
  },
  {
    name: 'arrays of operations',
    run: posting(() => JSON.stringify(Array.from({ length: 1_000 }, () => ({ query: '{ viewer { id } }' })))),
  },
  {
    name: 'bodies that unpack to 200 MB',
    run: async (attacker) => {
      const body = gzipSync(Buffer.alloc(200_000_000, ' '));
      await attacker.storm(4, () => attacker.post(body, { 'content-encoding': 'gzip' }));
    },
  },
  {
    name: 'forms of many parts',
    run: posting(() => `--x\r\nContent-Disposition: form-data; name="0"\r\n\r\na\r\n`.repeat(10_000), {
      'content-type': 'multipart/form-data; boundary=x',
    }),
  },
  {
    name: 'heads of 15 KB',
    run: getting('/graphql?query=%7B__typename%7D', { headers: { cookie: 'a=b; '.repeat(3_000) } }),
  },
  {
    name: 'streams asked for by GET',
    run: getting((count) => `/graphql/stream?query=${encodeURIComponent(`{ viewer { id } } # ${count}`)}`),
  },
  {
    name: 'persisted queries',
    run: posting((count) =>
      JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash: String(count) } } }),
    ),
  },
];
