import { ApolloClient, gql, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { Client as UrqlClient, fetchExchange, type Exchange, subscriptionExchange } from '@urql/core';
import { createClient as createSseClient } from 'graphql-sse';
import { type Client as WsClient, createClient as createWsClient } from 'graphql-ws';
import { WebSocket } from 'ws';

import { TURN_EVENTS, type WireEvent } from './test-client.js';

/** What a page gives to a client library. */
export interface Sink {
  event(event: WireEvent): void;
  failed(error: unknown): void;
  completed(): void;
}

/** A client library as its manual says to set it up, and `turnEvents` through it. */
export interface StockClient {
  subscribe(variables: { turnId: string; after: number }, sink: Sink): void;
  close(): void | Promise<void>;
}

export interface Connection {
  /** Of the server, or of what stands before it. */
  url: string;
  token: string;
  /** How often it may connect again by itself. */
  retryAttempts: number;
}

interface Data {
  turnEvents: WireEvent;
}

function headersOf({ token }: Connection): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

function socketOf(connection: Connection): WsClient {
  return createWsClient({
    url: `${connection.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: headersOf(connection),
    retryAttempts: connection.retryAttempts,
    retryWait: () => Promise.resolve(),
    shouldRetry: () => true,
  });
}

function apollo(connection: Connection): StockClient {
  const socket = socketOf(connection);
  const client = new ApolloClient({ link: new GraphQLWsLink(socket), cache: new InMemoryCache() });
  const query = gql(TURN_EVENTS);
  return {
    subscribe(variables, { event, failed, completed }) {
      client.subscribe<Data>({ query, variables }).subscribe({
        next({ data, error }) {
          if (error) failed(error);
          else if (data) event((data as Data).turnEvents);
        },
        error: failed,
        complete: completed,
      });
    },
    async close() {
      client.stop();
      await socket.dispose();
    },
  };
}

function urql(
  connection: Connection,
  exchange: Exchange,
  close: StockClient['close'] = () => undefined,
): StockClient {
  const client = new UrqlClient({
    url: `${connection.url}/graphql`,
    exchanges: [exchange],
    fetchOptions: { headers: headersOf(connection) },
    fetchSubscriptions: true,
  });
  return {
    subscribe(variables, { event, failed, completed }) {
      client.subscription<Data>(TURN_EVENTS, variables).subscribe(({ data, error, hasNext }) => {
        if (error) failed(error);
        // It tells the end by showing the last result again.
        else if (!hasNext) completed();
        else if (data) event(data.turnEvents);
      });
    },
    close,
  };
}

function urqlOverSocket(connection: Connection): StockClient {
  const socket = socketOf(connection);
  const exchange = subscriptionExchange({
    forwardSubscription: ({ query = '', variables = {} }) => ({
      subscribe: ({ next, error, complete }) => ({
        unsubscribe: socket.subscribe(
          { query, variables: variables as Record<string, unknown> },
          { next: (result) => next(result as Parameters<typeof next>[0]), error, complete },
        ),
      }),
    }),
  });
  return urql(connection, exchange, () => socket.dispose());
}

function graphqlSse(connection: Connection): StockClient {
  const client = createSseClient({
    url: `${connection.url}/graphql/stream`,
    headers: headersOf(connection),
    retryAttempts: connection.retryAttempts,
    retry: () => Promise.resolve(),
  });
  return {
    subscribe(variables, { event, failed, completed }) {
      client.subscribe<Data>(
        { query: TURN_EVENTS, variables },
        {
          next({ data, errors }) {
            if (errors) failed(errors);
            else if (data) event(data.turnEvents);
          },
          error: failed,
          complete: completed,
        },
      );
    },
    close: () => client.dispose(),
  };
}

/** By the names of the libraries and of how they were told to connect. */
export const stockClients: Record<string, (connection: Connection) => StockClient> = {
  'Apollo Client’s GraphQLWsLink': apollo,
  'urql’s subscriptionExchange over graphql-ws': urqlOverSocket,
  'urql’s fetchExchange': (connection) => urql(connection, fetchExchange),
  'graphql-sse': graphqlSse,
};
