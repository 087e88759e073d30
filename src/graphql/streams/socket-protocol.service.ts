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

import type { ResultSink } from '../../companies/auth/graphql-context.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { DomainError, type ErrorCode } from '../../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { subscribeToEvents } from '../../conversations/turns/turn-events-subscription.js';
import { ClientErrors } from '../client-errors.service.js';
import { UsageLimits } from '../limits/usage-limits.service.js';
import { type Operation, Operations } from '../operations.service.js';
import { SignIn } from '../sign-in.service.js';
import { SessionEnds } from './session-ends.service.js';

const MAX_OPERATIONS_PER_SOCKET = 100;

/** Of RFC 6455's registry of close codes. */
const TRY_AGAIN_LATER = 1013;

const NO_GOOD = new Set<ErrorCode>(['UNAUTHENTICATED', 'RATE_LIMITED']);

/** What is known of an open socket. */
export interface OpenSocket {
  readonly socket: WebSocket;
  readonly address: string;
  /** Gives back the place of a client that is not known yet. */
  readonly admitted: () => void;
  /** Null until the server has acknowledged the connection. */
  viewer: Viewer | null;
  /** By the request: ids are chosen by the client and may be used again. */
  readonly underWay: Map<SubscribePayload, Operation>;
  /** Nothing more is taken: it is closed as soon as what was asked before is answered. */
  isOver: boolean;
}

type Params = Record<string, unknown>;
type SocketContext = Context<Params, OpenSocket>;

/**
 * What the protocol graphql-transport-ws asks of a server: who somebody is, what they may do, and how errors are told. A
 * socket is one viewer's, and is closed when their token expires or they are erased.
 */
@Injectable()
export class SocketProtocol {
  constructor(
    private readonly operations: Operations,
    private readonly signIn: SignIn,
    private readonly ends: SessionEnds,
    private readonly errors: ClientErrors,
    private readonly limits: UsageLimits,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Speaks it on any number of sockets. */
  server(): Server<OpenSocket> {
    return makeServer<Params, OpenSocket>({
      onConnect: (context) => this.connect(context),
      onSubscribe: (context, id, payload) => this.prepare(context, id, payload),
      execute: (args) => this.operations.execute(args),
      subscribe: subscribeToEvents,
      onNext: (_context, _id, _payload, _args, result) => this.errors.in(result),
      onError: ({ extra }, _id, _payload, errors) => {
        // The client disconnected in the middle of a message, which is no error.
        if (extra.socket.readyState !== extra.socket.OPEN) return undefined;
        return errors.map((error) => this.errors.of(error));
      },
      onComplete: ({ extra }, _id, payload) => {
        extra.underWay.get(payload)?.release();
        extra.underWay.delete(payload);
        // Behind the message that tells of it.
        if (extra.isOver) setImmediate(() => closeOnceAnswered(extra));
      },
      // Of operations that broke on the way nothing was told above.
      onClose: ({ extra }) => extra.underWay.forEach(({ release }) => release()),
    });
  }

  private async prepare(
    { extra, subscriptions }: SocketContext,
    id: string,
    payload: SubscribePayload,
  ): Promise<ExecutionArgs | readonly GraphQLError[]> {
    const { viewer, underWay, isOver } = extra;
    try {
      // The list holds the new one already.
      if (Object.keys(subscriptions).length > MAX_OPERATIONS_PER_SOCKET) throw tooManyOperations();
      if (!viewer) throw new DomainError('UNAUTHENTICATED', 'Send connection_init first.');
      if (isOver) throw new DomainError('UNAUTHENTICATED', 'This connection is nobody’s any more.');
      const operation = await this.operations.prepare(viewer, payload, resultsTo(extra.socket, id));
      if (!('args' in operation)) return operation;
      underWay.set(payload, operation);
      return operation.args;
    } catch (error) {
      // Thrown on, it would close the socket, with all that others of its operations have under way.
      const originalError = error instanceof Error ? error : new Error(String(error));
      return [new GraphQLError(originalError.message, { originalError })];
    }
  }

  private async connect(context: SocketContext): Promise<boolean> {
    const { extra, connectionParams } = context;
    try {
      const viewer = await this.signIn.viewerOf(authorizationIn(connectionParams), extra.address);
      return viewer !== null && this.admit(extra, viewer);
    } catch (error) {
      // Too many bad tokens: this one is bad too, and the client should not come again with it.
      if (error instanceof DomainError && NO_GOOD.has(error.code)) return false;
      this.logger.warn({ err: error }, 'socket refused');
      // Forbidden, which comes of false, would have clients give up; this has them come again.
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
    const unwatch = this.ends.watch(viewer, () => end(extra));
    const stop = (): void => {
      giveBack();
      unwatch();
    };
    // The client may have left while the server found out who it is: no event would come to end the watch.
    if (extra.socket.readyState === extra.socket.CLOSED) stop();
    else extra.socket.once('close', stop);
    return true;
  }
}

/** Sends an operation's results past graphql-ws, which waits for each to be sent before it asks for the next. */
function resultsTo(socket: WebSocket, id: string): ResultSink {
  return {
    // Who does not read holds up one result, as with graphql-ws.
    get isReady() {
      return socket.readyState === socket.OPEN && socket.bufferedAmount === 0;
    },
    take: (payload) => socket.send(JSON.stringify({ id, type: MessageType.Next, payload })),
  };
}

function end(extra: OpenSocket): void {
  extra.isOver = true;
  closeOnceAnswered(extra);
}

/** Whoever asks to be erased is told that they were. Subscriptions end when they end. */
function closeOnceAnswered({ socket, underWay }: OpenSocket): void {
  const operations = Array.from(underWay.values(), ({ definition }) => definition.operation);
  if (operations.every((operation) => operation === 'subscription'))
    socket.close(CloseCode.Forbidden, 'Forbidden');
}

function tooManyOperations(): DomainError {
  const message = `A socket has at most ${MAX_OPERATIONS_PER_SOCKET} operations under way. End one, or open another socket.`;
  return new DomainError('RATE_LIMITED', message, { limit: MAX_OPERATIONS_PER_SOCKET, retryAfter: 1 });
}

/** Browsers cannot set headers on a socket, so the token comes as a parameter, under a name in any case. */
function authorizationIn(parameters: Record<string, unknown> | undefined): unknown {
  return Object.entries(parameters ?? {}).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
}
