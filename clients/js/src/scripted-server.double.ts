import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';

import { buildSchema, type ExecutionResult, graphql, type GraphQLError, parse, subscribe } from 'graphql';
import { createHandler } from 'graphql-sse/lib/use/http';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';

import type { Operation } from './typed-document.js';

const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));

/** What the server does, in a test's words. Events are given without their turn and time. */
export interface Script {
  startTurn?(input: unknown): object;
  cancelTurn?(id: string): void;
  /** Throws what the answer is refused for. */
  answerInput?(input: unknown): void;
  files?: { name: string; url: string }[];
  assistants?: { key: string; archived: boolean }[];
  /** The last ones of the conversation. */
  messages?: { id: string; role: 'USER' | 'ASSISTANT' }[];
  events?(after: number, server: ScriptedServer): AsyncIterable<object> | Iterable<object>;
  /** False closes the socket with 4403. */
  admits?(connectionParams: unknown): boolean;
  /** The status that a proxy answers with which lets no WebSocket through. */
  withoutSockets?: number;
  /** The status that it answers with instead of event streams. */
  withoutStreams?: number;
}

/** A small real server that speaks the part of the contract which clients use, by the schema that is committed. */
export class ScriptedServer {
  readonly authorizations: unknown[] = [];
  readonly inputs: unknown[] = [];
  readonly uploads: string[] = [];
  /** The `after` of every subscription there was. */
  readonly afters: number[] = [];
  /** How many event streams were refused. */
  refused = 0;
  private toBeCut = 0;
  private readonly http: Server;
  private readonly sockets: WebSocketServer;

  private constructor(readonly script: Script) {
    const roots = {
      subscription: { turnEvents: (given: { after: number }) => this.turnEvents(given.after) },
    };
    const streams = createHandler({
      schema,
      subscribe: async (args) => {
        const results = await subscribe(args);
        return Symbol.asyncIterator in results ? withErrors(results) : results;
      },
      onSubscribe: (_request, { query, variables }) => ({
        schema,
        document: parse(query),
        variableValues: variables ?? {},
        rootValue: roots.subscription,
        contextValue: undefined,
      }),
    });
    this.http = createServer((request, response) => {
      if (request.url === '/graphql/stream') {
        if (script.withoutStreams !== undefined) {
          this.refused += 1;
          response.writeHead(script.withoutStreams).end('Not now.');
          return;
        }
        this.authorizations.push(request.headers.authorization);
        // Whoever was cut off takes no more.
        streams(request, response).catch(() => undefined);
        return;
      }
      if (request.url === '/upload') {
        void text(request)
          .then((content) => this.uploads.push(content))
          .then(() => response.end());
        return;
      }
      if (request.url !== '/graphql') {
        response.writeHead(404).end('Not here.');
        return;
      }
      void this.answer(request).then((body) =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
      );
    });
    const verifyClient = (_info: unknown, verified: (isAccepted: boolean, status: number) => void): void =>
      verified(!script.withoutSockets, script.withoutSockets ?? 101);
    this.sockets = new WebSocketServer({ server: this.http, path: '/graphql', verifyClient });
    this.sockets.on('connection', (socket) => {
      if (this.toBeCut === 0) return;
      this.toBeCut -= 1;
      socket.terminate();
    });
    useServer(
      {
        schema,
        roots,
        onConnect: ({ connectionParams }) => {
          this.authorizations.push(connectionParams?.authorization);
          return script.admits?.(connectionParams) ?? true;
        },
      },
      this.sockets,
    );
  }

  static async start(script: Script): Promise<ScriptedServer> {
    const server = new ScriptedServer(script);
    server.http.listen(0, '127.0.0.1');
    await once(server.http, 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  /** Cuts every connection without a word, as a network does, and the next sockets to come as well. */
  cut(nextSockets = 0): void {
    this.toBeCut = nextSockets;
    this.http.closeAllConnections();
    for (const socket of this.sockets.clients) socket.terminate();
  }

  async close(): Promise<void> {
    if (!this.http.listening) return;
    const closed = once(this.http, 'close');
    this.http.close();
    this.cut();
    await closed;
  }

  private async answer(request: IncomingMessage): Promise<object> {
    this.authorizations.push(request.headers.authorization);
    const { query, variables } = (await json(request)) as Operation;
    const rootValue = {
      startTurn: ({ input }: { input: unknown }) => {
        this.inputs.push(input);
        return this.script.startTurn?.(input) ?? accepted;
      },
      regenerate: ({ input }: { input: unknown }) => {
        this.inputs.push(input);
        return this.script.startTurn?.(input) ?? accepted;
      },
      answerInput: ({ input }: { input: unknown }) => {
        this.script.answerInput?.(input);
        return { __typename: 'Question', id: 'q-1', status: 'ANSWERED' };
      },
      createAttachmentUpload: ({ input }: { input: { name: string } }) => ({
        attachment: { id: `attachment of ${input.name}` },
        url: `${this.url}/upload`,
        method: 'PUT',
        headers: {},
      }),
      conversation: ({ id }: { id: string }) => ({
        id,
        messages: { edges: (this.script.messages ?? []).map((node) => ({ node })) },
      }),
      assistantsConnection: { edges: (this.script.assistants ?? []).map((node) => ({ node })) },
      turn: ({ id }: { id: string }) => ({ id, files: this.script.files ?? [] }),
      cancelTurn: ({ id }: { id: string }) => {
        this.script.cancelTurn?.(id);
        return { id, status: 'CANCELLED' };
      },
    };
    return graphql({ schema, source: query, variableValues: variables, rootValue });
  }

  private async *turnEvents(after: number): AsyncGenerator<object> {
    this.afters.push(after);
    for await (const event of this.script.events?.(after, this) ?? []) {
      yield { turnEvents: { turnId: 'turn-1', at: '2026-01-02T03:04:05.000Z', ...event } };
    }
  }
}

/** As the server tells an error in the middle of a stream. */
async function* withErrors(results: AsyncIterable<ExecutionResult>): AsyncGenerator<ExecutionResult> {
  try {
    yield* results;
  } catch (error) {
    yield { errors: [error as GraphQLError] };
  }
}

export const accepted = {
  __typename: 'TurnAccepted',
  turn: { id: 'turn-1' },
  conversation: { id: 'conversation-1' },
};

export const noUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  modelCalls: 0,
  skillCalls: 0,
  costUsd: null,
};

export function textDelta(sequence: number, text: string) {
  return { __typename: 'TextDelta', sequence, text };
}

export function turnDone(sequence: number, status = 'COMPLETED', finishReason = 'ANSWERED') {
  return {
    __typename: 'TurnDone',
    sequence,
    status,
    finishReason,
    messageId: null,
    usage: noUsage,
    error: null,
  };
}
