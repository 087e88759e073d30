import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CloseCode, handleProtocols, type Message, type Server } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';

import { DomainError } from '../../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { httpStatusOf } from '../../companies/files/http-error.js';
import { MAX_BODY_BYTES } from '../limits/operation-limits.js';
import { UsageLimits } from '../limits/usage-limits.service.js';
import { GOING_AWAY } from './close-codes.js';
import { MAX_UNREAD_BYTES, SocketInbox } from './socket-inbox.js';
import { readMessage } from './socket-message.js';
import { type OpenSocket, SocketProtocol } from './socket-protocol.service.js';

export const GRAPHQL_PATH = '/graphql';

/** The interval of pings. A socket that does not answer until the next ping is closed. */
const KEEP_ALIVE_MS = 12_000;

/** Pings and pongs of the WebSocket protocol between two of our pings. No client sends more than a few. */
const MAX_CONTROL_FRAMES = 100;

/** The time for clients to answer the closing of their sockets. */
const FAREWELL_MS = 1_000;

/** Another protocol than GraphQL for the sockets of one path. */
interface SocketRoute {
  path: string;
  /** Authenticates the client. Rejects with a DomainError. */
  admit: (request: IncomingMessage) => Promise<Viewer>;
  /** `connection` is the TCP connection of `socket`. */
  open: (viewer: Viewer, socket: WebSocket, connection: Socket) => void;
}

/** Resolves when the operation of a message has ended. */
type TakeMessage = (message: Message) => Promise<void>;

/** Nest's socket server does not limit message sizes, and that of graphql-ws for ws not the number of sockets. */
@Injectable()
export class GraphQLSocket implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_BODY_BYTES,
    handleProtocols,
    autoPong: false,
  });
  private readonly server: Server<OpenSocket>;
  private readonly routes = new Map<string, SocketRoute>();

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly limits: UsageLimits,
    protocol: SocketProtocol,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.server = protocol.server();
  }

  /** Call it in onModuleInit. */
  route(route: SocketRoute): void {
    this.routes.set(route.path, route);
  }

  onApplicationBootstrap(): void {
    const httpServer = this.http.httpAdapter.getHttpServer() as NodeJS.EventEmitter;
    httpServer.on('upgrade', (request: IncomingMessage, connection: Socket, head: Buffer) =>
      this.upgrade(request, connection, head),
    );
  }

  /** Tells clients that the server goes away, so that they reconnect. */
  async beforeApplicationShutdown(): Promise<void> {
    // Silent clients never answer, and running turns must not wait for them.
    const timer = setTimeout(() => this.terminateAll(), FAREWELL_MS);
    for (const socket of this.sockets.clients) socket.close(GOING_AWAY, 'Going away');
    await new Promise<void>((resolve) => this.sockets.close(() => resolve()));
    clearTimeout(timer);
    this.terminateAll();
  }

  private terminateAll(): void {
    for (const socket of this.sockets.clients) socket.terminate();
  }

  private upgrade(request: IncomingMessage, connection: Socket, head: Buffer): void {
    const path = request.url?.split('?', 1)[0] ?? '';
    const route = this.routes.get(path);
    if (!route && path !== GRAPHQL_PATH) return refuse(connection, '404 Not Found');
    const address = connection.remoteAddress ?? '';
    const admitted = this.limits.takeHandshake(address);
    if (!admitted) return refuse(connection, '429 Too Many Requests');
    connection.once('close', admitted);
    if (route) return void this.openAt(route, request, connection, head).finally(admitted);
    this.sockets.handleUpgrade(request, connection, head, (socket) =>
      this.open(connection, {
        socket,
        address,
        headers: { cookie: request.headers.cookie, origin: request.headers.origin },
        admitted,
        viewer: null,
        pace: null,
        underWay: new Map(),
        isOver: false,
      }),
    );
  }

  private async openAt(route: SocketRoute, request: IncomingMessage, connection: Socket, head: Buffer) {
    const ignore = (): void => undefined;
    // Until it is a WebSocket, nobody else handles its errors.
    connection.on('error', ignore);
    try {
      const viewer = await route.admit(request);
      this.sockets.handleUpgrade(request, connection, head, (socket) => {
        socket.on('error', (error) => this.logger.debug({ err: error }, 'socket'));
        socket.once('close', keepAlive(socket, connection));
        route.open(viewer, socket, connection);
      });
    } catch (error) {
      if (!(error instanceof DomainError)) this.logger.error({ err: error }, 'socket refused');
      const status = httpStatusOf(error);
      refuse(connection, `${status} ${STATUS_CODES[status]}`);
    } finally {
      connection.off('error', ignore);
    }
  }

  /** Connects a socket to graphql-ws, which handles the protocol. */
  private open(connection: Socket, extra: OpenSocket): void {
    const { socket } = extra;
    // A disconnect within a message, or a too large message, is not a server error. The socket closes either way.
    socket.on('error', (error) => this.logger.debug({ err: error }, 'socket'));
    const stopKeepingAlive = keepAlive(socket, connection);
    let take: TakeMessage = () => Promise.resolve();
    const closed = this.server.opened(
      {
        protocol: socket.protocol,
        send: (text) => {
          const sending = extra.pace?.send(text);
          return sending ? sending.then(() => sendIfOpen(socket, text)) : sendIfOpen(socket, text);
        },
        close: (code, reason) => socket.close(code, reason),
        // Its parser takes messages that are parsed already as well, although the type asks for text.
        onMessage: (callback) => (take = callback as unknown as TakeMessage),
      },
      extra,
    );
    const inbox: SocketInbox = new SocketInbox(socket, connection, async (message) => {
      try {
        if (!(await this.admit(extra.viewer, message))) return inbox.end();
        // An operation's own time delays no other.
        this.read(extra, message, take).catch((error: unknown) => this.fail(socket, error));
      } catch (error) {
        this.fail(socket, error);
      }
    });
    socket.once('close', (code, reason) => {
      stopKeepingAlive();
      closed(code, reason.toString()).catch((error: unknown) => this.fail(socket, error));
    });
  }

  /** Resolves when the next message may be read. False: there were too many. */
  private async admit(viewer: Viewer | null, { byteLength }: Buffer): Promise<boolean> {
    if (!viewer) return true;
    const isCounted = await this.limits.countMessage(viewer);
    if (isCounted) await this.limits.whenMayRead(viewer, byteLength);
    return isCounted;
  }

  // Not async: its frame would keep the bytes for as long as the operation goes on.
  private read({ socket, viewer }: OpenSocket, message: Buffer, take: TakeMessage): Promise<void> {
    const read = (): Promise<void> | void => {
      const found = readMessage(message, viewer !== null);
      if (found.message) return take(found.message);
      socket.close(found.closing.code, found.closing.reason);
    };
    return Promise.resolve(viewer ? this.limits.measure(viewer, read) : read());
  }

  private fail(socket: WebSocket, error: unknown): void {
    // The client has disconnected, which is not an error.
    if (socket.readyState !== socket.OPEN) return;
    this.logger.error({ err: error }, 'socket failed');
    socket.close(CloseCode.InternalServerError, 'Internal server error');
  }
}

/**
 * Pings a client, answers its pings, and closes its socket when it does not answer or sends more than others can bear,
 * until the returned function is called.
 */
function keepAlive(socket: WebSocket, connection: Socket): () => void {
  let hasAnswered = true;
  let frames = 0;
  const countFrame = (): void => {
    frames += 1;
    if (frames > MAX_CONTROL_FRAMES) socket.terminate();
  };
  socket.on('ping', (data) => {
    countFrame();
    // Pongs to a client that reads nothing would fill the memory.
    if (connection.writableLength <= MAX_UNREAD_BYTES) socket.pong(data);
  });
  socket.on('pong', () => {
    countFrame();
    hasAnswered = true;
  });
  const timer = setInterval(() => {
    frames = 0;
    if (socket.readyState !== socket.OPEN) return;
    // Of a paused socket no answer is read.
    if (!hasAnswered && !socket.isPaused) return socket.terminate();
    hasAnswered = false;
    socket.ping();
  }, KEEP_ALIVE_MS);
  return () => clearInterval(timer);
}

function sendIfOpen(socket: WebSocket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.readyState !== socket.OPEN) return resolve();
    socket.send(text, (error) => (error ? reject(error) : resolve()));
  });
}

function refuse(connection: Socket, status: string): void {
  // Node no longer handles errors of this socket. An unhandled one would end the process.
  connection.once('error', () => connection.destroy());
  connection.once('finish', () => connection.destroy());
  connection.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
