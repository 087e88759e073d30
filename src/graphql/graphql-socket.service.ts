import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { GraphQLError } from 'graphql';
import type { Context, Disposable as SocketServer } from 'graphql-ws';
import { type Extra, useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';

import type { Viewer } from '../auth/viewer.js';
import { DomainError } from '../common/domain-error.js';
import { LOGGER, type Logger } from '../common/logger.js';
import { toClientError } from './graphql-error.js';
import { MAX_BODY_BYTES } from './operation-limits.js';
import { SignIn } from './sign-in.service.js';
import { closeAtExpiry } from './socket-expiry.js';
import { prepareOperation } from './socket-operation.js';

export const GRAPHQL_PATH = '/graphql';

const MAX_OPERATIONS_PER_SOCKET = 100;

/** Of RFC 6455's registry of close codes. */
const TRY_AGAIN_LATER = 1013;

interface Signed extends Record<PropertyKey, unknown> {
  viewer: Viewer;
}

type SocketContext = Context<Record<string, unknown>, Extra & Partial<Signed>>;

/**
 * GraphQL over WebSocket, by the protocol graphql-transport-ws. A socket is one viewer's, and is closed when their
 * token expires. (Nest's own socket server takes no limit of a message's size and no rules of validation.)
 */
@Injectable()
export class GraphQLSocket implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY_BYTES });
  private server: SocketServer | null = null;

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly schema: GraphQLSchemaHost,
    private readonly signIn: SignIn,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.server = useServer<Record<string, unknown>, Signed>(
      {
        onConnect: (context) => this.connect(context),
        // The list holds the new one already.
        onSubscribe: ({ extra, subscriptions }, _id, payload) =>
          Object.keys(subscriptions).length > MAX_OPERATIONS_PER_SOCKET
            ? [tooManyOperations()]
            : prepareOperation(this.schema.schema, extra.viewer ?? null, payload),
        onError: (_context, _id, _payload, errors) =>
          errors.map((error) => toClientError(error, this.logger)),
        onNext: (_context, _id, _payload, _args, { errors, ...result }) =>
          errors ? { ...result, errors: errors.map((error) => toClientError(error, this.logger)) } : result,
      },
      this.sockets,
    );
    // A client that is gone in the middle of a message, or sends too large a one, is nobody's mistake here, and
    // graphql-ws would print it to the console. The socket is closed either way.
    this.sockets.on('connection', (socket) => {
      socket.removeAllListeners('error');
      socket.on('error', (error) => this.logger.debug({ err: error }, 'socket'));
    });
    const httpServer = this.http.httpAdapter.getHttpServer() as NodeJS.EventEmitter;
    httpServer.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.upgrade(request, socket, head),
    );
  }

  /** Clients are told that the server goes away, which they take as a reason to connect again. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.server?.dispose();
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
      const viewer = await this.signIn.viewerOf(authorizationIn(connectionParams));
      if (!viewer) return false;
      extra.viewer = viewer;
      closeAtExpiry(extra.socket, viewer.expiresAt);
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.code === 'UNAUTHENTICATED') return false;
      this.logger.warn({ err: error }, 'socket refused');
      // Forbidden, which comes of false, would have clients give up; this has them come again.
      extra.socket.close(TRY_AGAIN_LATER, 'Try again later');
      return false;
    }
  }
}

const tooManyOperations = (): GraphQLError => {
  const message = `A socket has at most ${MAX_OPERATIONS_PER_SOCKET} operations under way. End one, or open another socket.`;
  const error = new DomainError('RATE_LIMITED', message, { limit: MAX_OPERATIONS_PER_SOCKET, retryAfter: 1 });
  return new GraphQLError(message, { originalError: error });
};

/** Browsers cannot set headers on a socket, so the token comes as a parameter, under a name in any case. */
const authorizationIn = (parameters: Record<string, unknown> | undefined): unknown =>
  Object.entries(parameters ?? {}).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
