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
import { CloseCode, type Context, type Disposable as SocketServer } from 'graphql-ws';
import { type Extra, useServer } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';

import type { Viewer } from '../auth/viewer.js';
import { DomainError } from '../common/domain-error.js';
import { LOGGER, type Logger } from '../common/logger.js';
import { toClientError } from './graphql-error.js';
import { MAX_BODY_BYTES } from './operation-limits.js';
import { SignIn } from './sign-in.service.js';
import { prepareOperation } from './socket-operation.js';

export const GRAPHQL_PATH = '/graphql';

/** Node's timers hold no more; a token that lasts longer is looked at again then. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

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
    // A client that is gone in the middle of a message is nobody's mistake.
    this.sockets.on('connection', (socket) =>
      socket.on('error', (error) => this.logger.debug({ err: error }, 'socket')),
    );
    this.server = useServer<Record<string, unknown>, Signed>(
      {
        onConnect: (context) => this.connect(context),
        onSubscribe: ({ extra }, _id, payload) =>
          prepareOperation(this.schema.schema, extra.viewer ?? null, payload),
        onError: (_context, _id, _payload, errors) =>
          errors.map((error) => toClientError(error, this.logger)),
        onNext: (_context, _id, _payload, _args, { errors, ...result }) =>
          errors ? { ...result, errors: errors.map((error) => toClientError(error, this.logger)) } : result,
      },
      this.sockets,
    );
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
      throw new GraphQLError('The server cannot tell who you are just now. Please try again.');
    }
  }
}

/** Browsers cannot set headers on a socket, so the token comes as a parameter, under a name in any case. */
const authorizationIn = (parameters: Record<string, unknown> | undefined): unknown =>
  Object.entries(parameters ?? {}).find(([name]) => name.toLowerCase() === 'authorization')?.[1];

const closeAtExpiry = (socket: WebSocket, expiresAt: Date | null): void => {
  if (!expiresAt) return;
  let timer: NodeJS.Timeout;
  const arm = (): void => {
    const left = expiresAt.getTime() - Date.now();
    if (left <= 0) socket.close(CloseCode.Forbidden, 'Forbidden');
    else timer = setTimeout(arm, Math.min(left, LONGEST_TIMER_MS));
  };
  arm();
  socket.once('close', () => clearTimeout(timer));
};
