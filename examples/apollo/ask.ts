import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import {
  initialTurn,
  reduceTurn,
  StartTurnDocument,
  type StartTurnInput,
  type TurnEvent,
  TurnEventsDocument,
  type TurnState,
} from '@palabre/client';
import { OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';

export function connect(url: string, token: string): ApolloClient {
  const headers = { authorization: `Bearer ${token}` };
  const http = new HttpLink({ uri: `${url}/graphql`, headers });
  const socketUrl = `${url.replace(/^http/, 'ws')}/graphql`;
  const socket = new GraphQLWsLink(
    createClient({ url: socketUrl, connectionParams: headers, shouldRetry: () => true }),
  );
  const link = ApolloLink.split(
    ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
    socket,
    http,
  );
  return new ApolloClient({ link, cache: new InMemoryCache() });
}

interface Started {
  startTurn: { turn?: { id: string }; message?: string };
}

/** Asks, and shows the turn as it goes. After a lost connection events come again: the reducer drops them. */
export async function ask(
  client: ApolloClient,
  input: StartTurnInput,
  show: (state: TurnState) => void,
): Promise<TurnState> {
  const mutation = gql(StartTurnDocument.toString());
  // Apollo's cache knows no unions and interfaces unless it is given their possibleTypes.
  const fetchPolicy = 'no-cache';
  const { data } = await client.mutate<Started>({ mutation, variables: { input }, fetchPolicy });
  const { turn, message } = data?.startTurn ?? {};
  if (!turn) throw new Error(message);
  const query = gql(TurnEventsDocument.toString());
  const variables = { turnId: turn.id, after: 0 };
  const events = client.subscribe<{ turnEvents: TurnEvent }>({ query, variables, fetchPolicy });
  return new Promise((resolve, reject) => {
    let state = initialTurn;
    events.subscribe({
      next({ data, error }) {
        if (error) return reject(error);
        state = reduceTurn(state, (data as { turnEvents: TurnEvent }).turnEvents);
        return show(state);
      },
      error: reject,
      complete: () => resolve(state),
    });
  });
}
