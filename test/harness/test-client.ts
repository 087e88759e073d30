import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

export interface GraphQLAnswer<Data> {
  data: Data | null;
  errors?: {
    message: string;
    path?: (string | number)[];
    extensions: { code: string; [key: string]: unknown };
  }[];
}

/** An event as it comes over the wire, with its GraphQL type's name. */
export interface WireEvent {
  __typename: string;
  turnId: string;
  sequence: number;
  at: string;
  [field: string]: unknown;
}

/** Every event type of the contract, without an alias. */
export const TURN_EVENTS = /* GraphQL */ `
  subscription ($turnId: ID!, $after: Int) {
    turnEvents(turnId: $turnId, after: $after) {
      __typename
      turnId
      sequence
      at
      ... on StatusChanged {
        status
        detail
      }
      ... on TextDelta {
        text
      }
      ... on ReasoningDelta {
        text
      }
      ... on TextReset {
        cause
      }
      ... on PlanDecided {
        action
        nextSkill
        reason
      }
      ... on SkillStarted {
        callId
        skill
        arguments
      }
      ... on SkillFinished {
        callId
        skill
        callStatus
        resultPreview
        durationMs
      }
      ... on SkillLoaded {
        skill
      }
      ... on SourcesFound {
        sources {
          marker
          documentId
          documentName
          page
          quote
          score
        }
      }
      ... on ApprovalRequested {
        approval {
          id
          turnId
          skill
          arguments
          reason
          status
          expiresAt
        }
      }
      ... on InputRequested {
        input {
          __typename
          id
          turnId
          kind
          status
          expiresAt
          ... on Question {
            prompt
            responseSchema
          }
          ... on ClientSkillCall {
            callId
            skill
            arguments
          }
          ... on McpInputRequest {
            server
            message
            schema: responseSchema
            url
          }
        }
      }
      ... on InputResolved {
        inputId
        inputStatus
      }
      ... on MovedToBackground {
        reason
        message
      }
      ... on TurnDone {
        status
        finishReason
        messageId
        usage {
          inputTokens
          outputTokens
          cachedInputTokens
          modelCalls
          skillCalls
          costUsd
        }
        error {
          code
          message
          retryable
        }
      }
    }
  }
`;

export const START_TURN = /* GraphQL */ `
  mutation ($input: StartTurnInput!) {
    startTurn(input: $input) {
      __typename
      ... on TurnAccepted {
        turn {
          id
          status
        }
        conversation {
          id
          title
        }
      }
      ... on TurnInProgress {
        message
        activeTurn {
          id
        }
      }
      ... on IdempotencyConflict {
        message
        firstTurn {
          id
        }
      }
      ... on QuotaExceeded {
        message
        resetsAt
      }
    }
  }
`;

export interface StartTurnAnswer {
  __typename: string;
  message?: string;
  turn?: { id: string; status: string };
  conversation?: { id: string; title: string | null };
  activeTurn?: { id: string };
  firstTurn?: { id: string };
}

/** A user of the API over real HTTP and real WebSockets. */
export class TestClient {
  private readonly sockets: Client[] = [];

  constructor(
    readonly url: string,
    readonly token: string | null,
  ) {}

  /** One operation over HTTP, with whatever errors it has. */
  async send<Data>(
    query: string,
    variables: object = {},
  ): Promise<GraphQLAnswer<Data> & { httpStatus: number }> {
    const response = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(this.token === null ? {} : { authorization: `Bearer ${this.token}` }),
      },
      body: JSON.stringify({ query, variables }),
    });
    return { ...((await response.json()) as GraphQLAnswer<Data>), httpStatus: response.status };
  }

  /** One operation over HTTP that has no errors. */
  async get<Data>(query: string, variables: object = {}): Promise<Data> {
    const { data, errors } = await this.send<Data>(query, variables);
    if (errors || data === null) throw new Error(JSON.stringify(errors));
    return data;
  }

  /** The codes of the errors of an operation that has some. */
  async codes(query: string, variables: object = {}): Promise<string[]> {
    const { errors = [] } = await this.send(query, variables);
    return errors.map(({ extensions }) => extensions.code);
  }

  async startTurn(input: object): Promise<StartTurnAnswer> {
    return (await this.get<{ startTurn: StartTurnAnswer }>(START_TURN, { input })).startTurn;
  }

  /** Starts a turn that is accepted. */
  async ask(
    message: string,
    input: object = { assistantKey: 'mefali' },
  ): Promise<{ turnId: string; conversationId: string }> {
    const answer = await this.startTurn({ message, ...input });
    if (!answer.turn || !answer.conversation) throw new Error(JSON.stringify(answer));
    return { turnId: answer.turn.id, conversationId: answer.conversation.id };
  }

  /** A socket of its own, closed with the client. */
  socket(options: Partial<Parameters<typeof createClient>[0]> = {}): Client {
    const socket = createClient({
      url: `${this.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: this.token === null ? {} : { authorization: `Bearer ${this.token}` },
      retryAttempts: 0,
      ...options,
    });
    this.sockets.push(socket);
    return socket;
  }

  /** The events of a turn later than `after`, as they come, on a socket of their own. */
  async *turnEvents(turnId: string, after = 0, socket = this.socket()): AsyncGenerator<WireEvent, void> {
    const results = socket.iterate<{ turnEvents: WireEvent }>({
      query: TURN_EVENTS,
      variables: { turnId, after },
    });
    for await (const { data, errors } of results) {
      if (errors) throw new Error(JSON.stringify(errors));
      if (data) yield data.turnEvents;
    }
  }

  /** All events of a turn later than `after`, once it has ended. */
  allEvents(turnId: string, after = 0): Promise<WireEvent[]> {
    return Array.fromAsync(this.turnEvents(turnId, after));
  }

  async close(): Promise<void> {
    await Promise.all(this.sockets.map((socket) => socket.dispose()));
  }
}

/** The kinds of events in their order, and text once however many parts it came in: on a busy machine there are more. */
export function kindsOf(events: readonly WireEvent[]): string[] {
  const kinds = events.map(({ __typename }) => __typename);
  return kinds.filter((kind, at) => kind !== 'TextDelta' || kinds[at - 1] !== kind);
}

/** The answer, or its reasoning, that events tell: the texts after the last reset. */
export function answerOf(events: readonly WireEvent[], delta = 'TextDelta'): string {
  const lastReset = events.findLastIndex(({ __typename }) => __typename === 'TextReset');
  return events
    .slice(lastReset + 1)
    .filter(({ __typename }) => __typename === delta)
    .map(({ text }) => String(text))
    .join('');
}
