import { createPalabre, type Palabre, type TypedDocument } from '@palabre/client';
import { cacheExchange, Client, fetchExchange, mapExchange, subscriptionExchange } from '@urql/core';
import { createContext, use } from 'react';

import { expire, token } from '../app/session.js';
import { apiUrl, serverUrl } from './addresses.js';
import { codeOf } from './failure.js';

/** The API for one person, until they sign out: urql for what screens show, and Palabre's client for turns. */
export interface Api {
  client: Client;
  palabre: Palabre;
}

export function openApi(): Api {
  const palabre = createPalabre({ url: serverUrl, token });
  const client = new Client({
    url: apiUrl,
    preferGetMethod: false,
    fetchOptions: () => ({ headers: { authorization: `Bearer ${token() ?? ''}` } }),
    exchanges: [
      mapExchange({
        onError: (error) => {
          if (codeOf(error) === 'UNAUTHENTICATED') expire();
        },
      }),
      cacheExchange,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query, variables }) => ({
          subscribe: ({ next, error, complete }) => {
            const leaving = new AbortController();
            const document = (query ?? '') as unknown as TypedDocument<Record<string, unknown>, unknown>;
            const { signal } = leaving;
            void forward(palabre.subscribe(document, variables, { signal }), next, signal).then(
              complete,
              error,
            );
            return { unsubscribe: () => leaving.abort() };
          },
        }),
      }),
    ],
  });
  return { client, palabre };
}

async function forward(
  results: AsyncIterable<Record<string, unknown>>,
  next: (result: { data: Record<string, unknown> }) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const data of results) next({ data });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

export const ApiContext = createContext<Api | null>(null);

export function usePalabre(): Palabre {
  const api = use(ApiContext);
  if (!api) throw new Error('Nobody is signed in here.');
  return api.palabre;
}
