import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';

import { EventSocket, graphqlRequest, ServerUnreachable } from './graphql-client.js';
import { type ReceivedEvent, receiveEvent, turnEventsSubscription } from './turn-event.js';

export interface StartTurn {
  conversationId?: string | undefined;
  assistantKey?: string | undefined;
  message: string;
  documentIds?: readonly string[] | undefined;
}

/** A turn under way, or a refusal in words. */
export type StartTurnResult = { turnId: string; conversationId: string } | { refusal: string };

const startTurnMutation = `
  mutation StartTurn($input: StartTurnInput!) {
    startTurn(input: $input) {
      __typename
      ... on TurnAccepted { turn { id } conversation { id } }
      ... on Refusal { message }
    }
  }
`;
const cancelTurnMutation = `mutation CancelTurn($id: ID!) { cancelTurn(id: $id) { id } }`;

const Started = z.object({
  startTurn: z.union([
    z.object({
      __typename: z.literal('TurnAccepted'),
      turn: z.object({ id: z.string() }),
      conversation: z.object({ id: z.string() }),
    }),
    z.object({ __typename: z.string(), message: z.string() }),
  ]),
});
const Cancelled = z.object({ cancelTurn: z.object({ id: z.string() }) });
const EventResult = z.object({ turnEvents: z.unknown() });

/** How many streams in a row may end without a new event before the turn's end. */
const MAX_EMPTY_STREAMS = 5;
const EMPTY_STREAM_WAIT_MS = 500;

/** The public API as the terminal client uses it. Rejects with ServerUnreachable or RequestRefused. */
export class PalabreClient {
  private readonly endpoint: string;
  private readonly socket: EventSocket;

  constructor(
    serverUrl: string,
    private readonly token: () => Promise<string>,
    /** Called once each time that the connection is lost. */
    onReconnecting: () => void = () => undefined,
  ) {
    this.endpoint = `${serverUrl}/graphql`;
    this.socket = new EventSocket(this.endpoint.replace(/^http/, 'ws'), token, onReconnecting);
  }

  async startTurn(input: StartTurn): Promise<StartTurnResult> {
    const { startTurn } = await this.request(startTurnMutation, { input }, Started);
    if ('message' in startTurn) return { refusal: startTurn.message };
    return { turnId: startTurn.turn.id, conversationId: startTurn.conversation.id };
  }

  async cancelTurn(turnId: string): Promise<void> {
    await this.request(cancelTurnMutation, { id: turnId }, Cancelled);
  }

  /** Every event after `after`, once and in order, to the turn's end, across lost connections. */
  async *turnEvents(turnId: string, after = 0): AsyncGenerator<ReceivedEvent, void> {
    let last = after;
    const variables = {
      turnId,
      // Each connection serializes the request again, and so asks for what is still missing.
      get after() {
        return last;
      },
    };
    let emptyStreams = 0;
    while (emptyStreams < MAX_EMPTY_STREAMS) {
      emptyStreams += 1;
      for await (const data of this.socket.results({ query: turnEventsSubscription, variables })) {
        const received = this.checked(() => receiveEvent(EventResult.parse(data).turnEvents));
        if (received.sequence <= last) continue;
        last = received.sequence;
        emptyStreams = 0;
        yield received;
        if (received.event?.__typename === 'TurnDone') return;
      }
      await wait(EMPTY_STREAM_WAIT_MS);
    }
    throw new ServerUnreachable('The server ends the stream before the turn has ended.');
  }

  async close(): Promise<void> {
    await this.socket.close();
  }

  private async request<T>(query: string, variables: object, schema: z.ZodType<T>): Promise<T> {
    const data = await graphqlRequest(this.endpoint, await this.token(), { query, variables });
    return this.checked(() => schema.parse(data));
  }

  private checked<T>(parse: () => T): T {
    try {
      return parse();
    } catch (cause) {
      throw new ServerUnreachable(`What answers at ${this.endpoint} does not keep to Palabre's contract.`, {
        cause,
      });
    }
  }
}
