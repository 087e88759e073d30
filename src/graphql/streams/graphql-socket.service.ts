import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type ExecutionArgs, GraphQLError } from 'graphql';
import {
  CloseCode,
  type Context,
  type Disposable as SocketServer,
  type ServerOptions,
  type SubscribePayload,
} from 'graphql-ws';
import { type Extra, useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';

import type { Viewer } from '../../auth/viewer.js';
import { DomainError, type ErrorCode } from '../../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { subscribeToEvents } from '../../turns/subscription/turn-events-subscription.js';
import { ClientErrors } from '../client-errors.service.js';
import { MAX_BODY_BYTES } from '../limits/operation-limits.js';
import { type Operation, Operations } from '../operations.service.js';
import { SessionEnds } from './session-ends.service.js';
import { SignIn } from '../sign-in.service.js';
import { holdWhileUnread } from './unread-messages.js';

export const GRAPHQL_PATH = '/graphql';

const MAX_OPERATIONS_PER_SOCKET = 100;

/** A socket that is asked this often for a sign of life and gives none until it would be asked again is closed. */
const KEEP_ALIVE_MS = 12_000;

/** For clients to answer when the server says that it goes away. */
const FAREWELL_MS = 1_000;

/** Of RFC 6455's registry of close codes. */
const TRY_AGAIN_LATER = 1013;

const NO_GOOD = new Set<ErrorCode>(['UNAUTHENTICATED', 'RATE_LIMITED']);

interface Signed extends Record<PropertyKey, unknown> {
  viewer: Viewer;
  /** By what asked for it: ids are the client's and may be used again. */
  underWay: Map<SubscribePayload, Operation>;
  /** Nothing more is taken: it is closed as soon as what was asked before is answered. */
  isOver: boolean;
}

type Params = Record<string, unknown>;
type SocketContext = Context<Params, Extra & Partial<Signed>>;

/**
 * GraphQL over WebSocket, by the protocol graphql-transport-ws. A socket is one viewer's, and is closed when their
 * token expires or they are erased. (Nest's own socket server takes no limit of a message's size and no rules of
 * validation.)
 */
@Injectable()
export class GraphQLSocket implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY_BYTES });
  private server: SocketServer | null = null;

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly operations: Operations,
    private readonly signIn: SignIn,
    private readonly ends: SessionEnds,
    private readonly errors: ClientErrors,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.server = useServer<Params, Signed>(this.options(), this.sockets, KEEP_ALIVE_MS);
    this.sockets.on('connection', (socket, { socket: connection }) => {
      // A client that is gone in the middle of a message, or sends too large a one, is nobody's mistake here, and
      // graphql-ws would print it to the console. The socket is closed either way.
      socket.removeAllListeners('error');
      socket.on('error', (error) => this.logger.debug({ err: error }, 'socket'));
      holdWhileUnread(socket, connection);
    });
    const httpServer = this.http.httpAdapter.getHttpServer() as NodeJS.EventEmitter;
    httpServer.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.upgrade(request, socket, head),
    );
  }

  /** Clients are told that the server goes away, which they take as a reason to connect again. */
  async beforeApplicationShutdown(): Promise<void> {
    // One that has fallen silent never answers the farewell, and the turns under way are not kept waiting for it.
    const timer = setTimeout(() => this.terminateAll(), FAREWELL_MS);
    await this.server?.dispose();
    clearTimeout(timer);
    this.terminateAll();
  }

  private options(): ServerOptions<Params, Extra & Partial<Signed>> {
    return {
      onConnect: (context) => this.connect(context),
      onSubscribe: (context, _id, payload) => this.prepare(context, payload),
      subscribe: subscribeToEvents,
      onNext: (_context, _id, _payload, _args, result) => this.errors.in(result),
      onError: ({ extra }, _id, _payload, errors) => {
        // The client is gone in the middle of a message: nobody's mistake, and nobody to tell.
        if (extra.socket.readyState !== extra.socket.OPEN) return undefined;
        return errors.map((error) => this.errors.of(error));
      },
      onComplete: ({ extra }, _id, payload) => {
        extra.underWay?.get(payload)?.release();
        extra.underWay?.delete(payload);
        // Behind the message that tells of it.
        if (extra.isOver) setImmediate(() => closeOnceAnswered(extra));
      },
      // Of operations that broke on the way nothing was told above.
      onClose: ({ extra }) => extra.underWay?.forEach(({ release }) => release()),
    };
  }

  private async prepare(
    { extra, subscriptions }: SocketContext,
    payload: SubscribePayload,
  ): Promise<ExecutionArgs | readonly GraphQLError[]> {
    const { viewer, underWay, isOver } = extra;
    try {
      // The list holds the new one already.
      if (Object.keys(subscriptions).length > MAX_OPERATIONS_PER_SOCKET) throw tooManyOperations();
      if (!viewer || !underWay) throw new DomainError('UNAUTHENTICATED', 'Send connection_init first.');
      if (isOver) throw new DomainError('UNAUTHENTICATED', 'This connection is nobody’s any more.');
      const operation = await this.operations.prepare(viewer, payload);
      if (!('args' in operation)) return operation;
      underWay.set(payload, operation);
      return operation.args;
    } catch (error) {
      // Thrown on, it would close the socket, with all that others of its operations have under way.
      const originalError = error instanceof Error ? error : new Error(String(error));
      return [new GraphQLError(originalError.message, { originalError })];
    }
  }

  private terminateAll(): void {
    for (const socket of this.sockets.clients) socket.terminate();
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (request.url?.split('?', 1)[0] !== GRAPHQL_PATH) {
      // Node no longer listens for this socket's errors: unheard, a client that is gone would end the process.
      socket.once('error', () => socket.destroy());
      socket.once('finish', () => socket.destroy());
      socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    this.sockets.handleUpgrade(request, socket, head, (webSocket) =>
      this.sockets.emit('connection', webSocket, request),
    );
  }

  private async connect(context: SocketContext): Promise<boolean> {
    const { extra, connectionParams } = context;
    try {
      const address = extra.request.socket.remoteAddress ?? '';
      const viewer = await this.signIn.viewerOf(authorizationIn(connectionParams), address);
      if (!viewer) return false;
      const signed = Object.assign(extra, { viewer, underWay: new Map(), isOver: false });
      const stop = this.ends.watch(viewer, () => end(signed));
      // The client may have left while the server found out who it is: no event would come to end the watch.
      if (extra.socket.readyState === extra.socket.CLOSED) stop();
      else extra.socket.once('close', stop);
      return true;
    } catch (error) {
      // Too many bad tokens: this one is bad too, and the client should not come again with it.
      if (error instanceof DomainError && NO_GOOD.has(error.code)) return false;
      this.logger.warn({ err: error }, 'socket refused');
      // Forbidden, which comes of false, would have clients give up; this has them come again.
      extra.socket.close(TRY_AGAIN_LATER, 'Try again later');
      return false;
    }
  }
}

const end = (extra: Extra & Partial<Signed>): void => {
  extra.isOver = true;
  closeOnceAnswered(extra);
};

/** Whoever asks to be erased is told that they were. Subscriptions end when they end. */
const closeOnceAnswered = ({ socket, underWay }: Extra & Partial<Signed>): void => {
  const operations = Array.from(underWay?.values() ?? [], ({ definition }) => definition.operation);
  if (operations.every((operation) => operation === 'subscription'))
    socket.close(CloseCode.Forbidden, 'Forbidden');
};

const tooManyOperations = (): DomainError => {
  const message = `A socket has at most ${MAX_OPERATIONS_PER_SOCKET} operations under way. End one, or open another socket.`;
  return new DomainError('RATE_LIMITED', message, { limit: MAX_OPERATIONS_PER_SOCKET, retryAfter: 1 });
};

/** Browsers cannot set headers on a socket, so the token comes as a parameter, under a name in any case. */
const authorizationIn = (parameters: Record<string, unknown> | undefined): unknown =>
  Object.entries(parameters ?? {}).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
