import {
  initialTurn,
  reduceTurn,
  StartTurnDocument,
  type StartTurnInput,
  type TurnEvent,
  TurnEventsDocument,
  type TurnState,
} from '@palabre/client';
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { createClient } from 'graphql-ws';

export function connect(url: string, token: string): Client {
  const headers = { authorization: `Bearer ${token}` };
  const socketUrl = `${url.replace(/^http/, 'ws')}/graphql`;
  const socket = createClient({ url: socketUrl, connectionParams: headers, shouldRetry: () => true });
  const subscriptions = subscriptionExchange({
    forwardSubscription: ({ query = '', variables }) => ({
      subscribe: (sink) => ({
        unsubscribe: socket.subscribe(
          { query, variables: variables as Record<string, unknown> },
          {
            ...sink,
            next: (result) => sink.next(result as Parameters<typeof sink.next>[0]),
          },
        ),
      }),
    }),
  });
  return new Client({
    url: `${url}/graphql`,
    fetchOptions: { headers },
    preferGetMethod: false,
    exchanges: [fetchExchange, subscriptions],
  });
}

interface Started {
  startTurn: { turn?: { id: string }; message?: string };
}

/** Asks, and shows the turn as it goes. After a lost connection events come again: the reducer drops them. */
export async function ask(
  client: Client,
  input: StartTurnInput,
  show: (state: TurnState) => void,
): Promise<TurnState> {
  const { data, error } = await client.mutation<Started>(StartTurnDocument.toString(), { input }).toPromise();
  const { turn, message } = data?.startTurn ?? {};
  if (!turn) throw error ?? new Error(message);
  const variables = { turnId: turn.id, after: 0 };
  return new Promise((resolve, reject) => {
    let state = initialTurn;
    client
      .subscription<{ turnEvents: TurnEvent }>(TurnEventsDocument.toString(), variables)
      .subscribe(({ data, error, hasNext }) => {
        if (error) return reject(error);
        // It tells the end by showing the last result again.
        if (data) state = reduceTurn(state, data.turnEvents);
        show(state);
        return hasNext ? undefined : resolve(state);
      });
  });
}
