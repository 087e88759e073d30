import { createGraphiQLFetcher, type Fetcher, type FetcherOpts, type FetcherParams } from '@graphiql/toolkit';
import { createClient } from 'graphql-ws';

import { apiUrl, socketUrl } from '../api/addresses.js';
import { token } from '../app/session.js';

type Headers = Readonly<Record<string, string>>;

/**
 * Sends by HTTP and by socket with the token of the headers' editor, else with that of the session. It remembers the last
 * turn that was started: an empty `turnId` means that one.
 */
export function explorerFetcher(): Fetcher {
  let authorization = authorizationOf({});
  let lastTurnId = '';
  const wsClient = createClient({
    url: socketUrl,
    connectionParams: () => (authorization === null ? {} : { authorization }),
    retryAttempts: 0,
  });
  const send = createGraphiQLFetcher({ url: apiUrl, wsClient, enableIncrementalDelivery: false });

  // The toolkit's types know no generator that is wrapped.
  return (async (request: FetcherParams, options?: FetcherOpts) => {
    const given: Headers = options?.headers ?? {};
    authorization = authorizationOf(given);
    const variables: Record<string, unknown> = { ...request.variables };
    if (variables.turnId === '') variables.turnId = lastTurnId;
    const headers = { ...withoutAuthorization(given), ...(authorization !== null && { authorization }) };
    const result = await send({ ...namedWithin(request), variables }, { ...options, headers });
    if (isStream(result)) return gathered(result);
    lastTurnId = startedTurn(result) ?? lastTurnId;
    return result;
  }) as Fetcher;
}

/** Right after another tab is opened, GraphiQL still names the operation of the one before. */
function namedWithin({ operationName, ...request }: FetcherParams): FetcherParams {
  const isThere = new RegExp(`\\b(query|mutation|subscription)\\s+${operationName}\\b`).test(request.query);
  return isThere ? { ...request, operationName } : request;
}

function authorizationOf(headers: Headers): string | null {
  const name = Object.keys(headers).find((key) => key.toLowerCase() === 'authorization');
  if (name !== undefined) return headers[name] ?? null;
  const given = token();
  return given === null ? null : `Bearer ${given}`;
}

function withoutAuthorization(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'),
  );
}

function isStream(result: unknown): result is AsyncIterable<unknown> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}

/** GraphiQL shows one result at a time: this gives it all that have come so far. */
function gathered(results: AsyncIterable<unknown>): AsyncIterableIterator<unknown> {
  const source = results[Symbol.asyncIterator]();
  const events: unknown[] = [];
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      const { done, value } = await source.next();
      if (done === true) return { done, value: undefined };
      events.push(value);
      return { done: false, value: { events } };
    },
    // At once, which a generator that waits for the next event could not.
    async return() {
      await source.return?.();
      return { done: true, value: undefined };
    },
  };
}

function startedTurn(result: unknown): string | undefined {
  const { data } = result as { data?: { startTurn?: { turn?: { id: string } } } };
  return data?.startTurn?.turn?.id;
}
