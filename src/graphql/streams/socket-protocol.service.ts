import { Inject, Injectable } from '@nestjs/common';
import { type ExecutionArgs, GraphQLError } from 'graphql';
import {
  CloseCode,
  type Context,
  makeServer,
  MessageType,
  type Server,
  type SubscribePayload,
} from 'graphql-ws';
import type { WebSocket } from 'ws';

import type { GraphQLContext, ResultSink } from '../../companies/auth/graphql-context.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { DomainError, rateLimited, withoutStack, type ErrorCode } from '../../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { subscribeToEvents } from '../../conversations/turns/turn-events-subscription.js';
import { within } from '../../platform/tracing/span.js';
import { Tracing } from '../../platform/tracing/tracing.js';
import { ClientErrors } from '../client-errors.service.js';
import { type EventPace, UsageLimits } from '../limits/usage-limits.service.js';
import { type Operation, Operations } from '../operations.service.js';
import { SignIn } from '../sign-in.service.js';
import type { BrowserHeaders } from '../sessions/session-cookies.service.js';
import { TRY_AGAIN_LATER } from './close-codes.js';
import { PacedEvents } from './paced-events.js';
import { SessionEnds } from './session-ends.service.js';

const MAX_OPERATIONS_PER_SOCKET = 100;

const NO_GOOD = new Set<ErrorCode>(['UNAUTHENTICATED', 'RATE_LIMITED']);

export interface OpenSocket {
  readonly socket: WebSocket;
  readonly address: string;
  /** The headers of the request that opened it. */
  readonly headers: BrowserHeaders;
  /** Releases the place of a client that is not authenticated yet. */
  readonly admitted: () => void;
  /** Null until the server has acknowledged the connection. */
  viewer: Viewer | null;
  /** Null: there is no viewer yet. */
  pace: EventPace | null;
  /** By request, because clients choose ids and may reuse them. */
  readonly underWay: Map<SubscribePayload, Operation>;
  /** Nothing more is accepted, and the socket closes when earlier operations are answered. */
  isOver: boolean;
}

type Params = Record<string, unknown>;
type SocketContext = Context<Params, OpenSocket>;

/** The protocol graphql-transport-ws. A socket has one viewer, and closes when their token expires. */
@Injectable()
export class SocketProtocol {
  constructor(
    private readonly operations: Operations,
    private readonly signIn: SignIn,
    private readonly ends: SessionEnds,
    private readonly errors: ClientErrors,
    private readonly limits: UsageLimits,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly tracing: Tracing,
  ) {}

  server(): Server<OpenSocket> {
    return makeServer<Params, OpenSocket>({
      onConnect: (context) => this.connect(context),
      onSubscribe: (context, id, payload) => this.prepare(context, id, payload),
      execute: (args) => {
        const { traceparent } = args.contextValue as GraphQLContext;
        return within(this.tracing.receive(traceparent), () => this.operations.execute(args));
      },
      subscribe: subscribeToEvents,
      onOperation: ({ extra: { pace } }, _id, _payload, _args, result) => {
        if (!pace || !(Symbol.asyncIterator in result)) return undefined;
        return new PacedEvents(result[Symbol.asyncIterator](), pace);
      },
      onNext: ({ extra: { pace } }, _id, _payload, _args, result) => {
        const shown = this.errors.in(result);
        return pace ? { ...shown, toJSON: timedWriting(shown, pace.spent) } : shown;
      },
      onError: ({ extra }, _id, _payload, errors) => {
        // A disconnect within a message is not an error.
        const { socket, viewer } = extra;
        if (socket.readyState !== socket.OPEN) return undefined;
        const shown = errors.map((error) => this.errors.of(error));
        const tell = (ms: number): void => void (viewer && this.limits.addThreadTime(viewer, ms));
        // Thousands of refusals cost the member time as answers do.
        return Object.assign(shown, { toJSON: timedWriting([...shown], tell) });
      },
      onComplete: ({ extra }, _id, payload) => {
        extra.underWay.get(payload)?.release();
        extra.underWay.delete(payload);
        // After the message that reports it.
        if (extra.isOver) setImmediate(() => closeOnceAnswered(extra));
      },
      // Operations that broke off were not reported above.
      onClose: ({ extra }) => extra.underWay.forEach(({ release }) => release()),
    });
  }

  private async prepare(
    { extra, subscriptions, connectionParams }: SocketContext,
    id: string,
    payload: SubscribePayload,
  ): Promise<ExecutionArgs | readonly GraphQLError[]> {
    const { viewer, underWay, isOver } = extra;
    try {
      // The list already contains the new one.
      if (Object.keys(subscriptions).length > MAX_OPERATIONS_PER_SOCKET) throw tooManyOperations();
      if (!viewer) throw new DomainError('UNAUTHENTICATED', 'Send connection_init first.');
      if (isOver) throw new DomainError('UNAUTHENTICATED', 'This connection is nobody’s any more.');
      const hasLeft = (): boolean => extra.socket.readyState !== extra.socket.OPEN;
      const operation = await this.operations.prepare(viewer, payload, hasLeft, resultsTo(extra, id));
      if (!('args' in operation)) return operation;
      underWay.set(payload, operation);
      // The traceparent of the operation, or of the connection.
      const traceparent = payload.extensions?.traceparent ?? connectionParams?.traceparent;
      return {
        ...operation.args,
        contextValue: Object.assign(operation.args.contextValue as GraphQLContext, { traceparent }),
      };
    } catch (error) {
      // If it were thrown, the socket would close, and its other operations with it.
      const originalError = error instanceof Error ? error : new Error(String(error));
      return [withoutStack(() => new GraphQLError(originalError.message, { originalError }))];
    }
  }

  private async connect(context: SocketContext): Promise<boolean> {
    const { extra, connectionParams } = context;
    try {
      const { address, headers } = extra;
      const viewer = await this.signIn.viewerOf(authorizationIn(connectionParams), address, headers);
      return viewer !== null && this.admit(extra, viewer);
    } catch (error) {
      // There were too many bad tokens, and this one is bad too: the client should not retry with it.
      if (error instanceof DomainError && NO_GOOD.has(error.code)) return false;
      this.logger.warn({ err: error }, 'socket refused');
      // Returning false means forbidden, after which clients give up. This code makes them retry.
      extra.socket.close(TRY_AGAIN_LATER, 'Try again later');
      return false;
    }
  }

  private admit(extra: OpenSocket, viewer: Viewer): boolean {
    const giveBack = this.limits.takeSocket(viewer);
    if (!giveBack) {
      extra.socket.close(TRY_AGAIN_LATER, 'Too many sockets');
      return false;
    }
    extra.admitted();
    extra.viewer = viewer;
    extra.pace = this.limits.eventPace(viewer);
    const unwatch = this.ends.watch(viewer, () => end(extra));
    const stop = (): void => {
      giveBack();
      unwatch();
    };
    // If the client has already disconnected, no close event will stop the watch.
    if (extra.socket.readyState === extra.socket.CLOSED) stop();
    else extra.socket.once('close', stop);
    return true;
  }
}

/** A `toJSON` that measures serialising a payload and passing it to the socket, which graphql-ws does in one step. */
function timedWriting<Payload>(payload: Payload, tell: (ms: number) => void): () => Payload {
  return () => {
    const startedAt = performance.now();
    queueMicrotask(() => tell(performance.now() - startedAt));
    return payload;
  };
}

/** Sends an operation's results past graphql-ws, which waits for each to be sent before it takes the next. */
function resultsTo({ socket, pace }: OpenSocket, id: string): ResultSink {
  return {
    // A client that does not read delays one result, as with graphql-ws.
    get isReady() {
      return socket.readyState === socket.OPEN && socket.bufferedAmount === 0 && pace?.isFree() !== false;
    },
    take: (payload) => {
      const startedAt = performance.now();
      socket.send(JSON.stringify({ id, type: MessageType.Next, payload }));
      pace?.spent(performance.now() - startedAt);
    },
  };
}

function end(extra: OpenSocket): void {
  extra.isOver = true;
  closeOnceAnswered(extra);
}

/** Closes the socket once only subscriptions are left: after erasing themselves, members still get the answer. */
function closeOnceAnswered({ socket, underWay }: OpenSocket): void {
  const operations = Array.from(underWay.values(), ({ definition }) => definition.operation);
  if (operations.every((operation) => operation === 'subscription'))
    socket.close(CloseCode.Forbidden, 'Forbidden');
}

function tooManyOperations(): DomainError {
  const message = `A socket has at most ${MAX_OPERATIONS_PER_SOCKET} operations under way. End one, or open another socket.`;
  return rateLimited(message, { limit: MAX_OPERATIONS_PER_SOCKET, retryAfter: 1 });
}

/** Browsers cannot set headers on a socket, so the token is a parameter, whose name may be in any case. */
function authorizationIn(parameters: Record<string, unknown> | undefined): unknown {
  return Object.entries(parameters ?? {}).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
}
