import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';

import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { WebSocket } from 'ws';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';

import { Config, type DoorName } from '../common/config/config.js';
import { DomainError } from '../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../common/process/logger.js';
import { requireViewer } from '../companies/auth/graphql-context.js';
import type { ApiKeyScope, Viewer } from '../companies/auth/viewer.js';
import { type DescribedError, describeError } from '../graphql/http/described-error.js';
import { requirePresence } from '../graphql/http/http-context.js';
import { holdLargeBody } from '../graphql/http/request-bodies.js';
import { MAX_IMPORT_BYTES } from '../graphql/limits/operation-limits.js';
import { UsageLimits } from '../graphql/limits/usage-limits.service.js';
import { SignIn } from '../graphql/sign-in.service.js';
import { POLICY_VIOLATION, TRY_AGAIN_LATER } from '../graphql/streams/close-codes.js';
import { eventStreamHeaders, writeEvents } from '../graphql/streams/event-stream.js';
import { GraphQLSocket } from '../graphql/streams/graphql-socket.service.js';
import { SessionEnds } from '../graphql/streams/session-ends.service.js';

export interface DoorRoute {
  door: DoorName;
  method: HTTPMethods | HTTPMethods[];
  url: string;
  /** The scopes of which an API key needs one. */
  scopes: readonly ApiKeyScope[];
  /** Called before the sign-in. An exception refuses the request. */
  check?: (request: FastifyRequest) => void;
  /** The body of a refusal, in the door's protocol. Default: the error's facts. */
  errorBody?: (error: DescribedError) => unknown;
  /** Further headers of a refusal. */
  errorHeaders?: (error: DescribedError) => Record<string, string>;
  /** Returns the JSON answer, unless it replied itself, for example by `stream`. */
  handler: (viewer: Viewer, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
}

export interface DoorSocket {
  door: DoorName;
  path: string;
  scopes: readonly ApiKeyScope[];
  /** `connection` is the TCP connection of `socket`. */
  open: (viewer: Viewer, socket: WebSocket, connection: Socket) => void;
}

/** Our header, and Open WebUI's. */
const USER_HEADERS = ['x-palabre-user', 'x-openwebui-user-email'];

/** Comments keep connections open through proxies, and detect closed ones. */
const KEEP_ALIVE_MS = 15_000;

/** The routes of doors, with sign-in and the same limits and metrics as GraphQL. Closed doors have no routes. */
@Injectable()
export class Doors {
  constructor(
    private readonly http: HttpAdapterHost,
    private readonly config: Config,
    private readonly signIn: SignIn,
    private readonly limits: UsageLimits,
    private readonly ends: SessionEnds,
    private readonly sockets: GraphQLSocket,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  isOpen(door: DoorName): boolean {
    return this.config.http.doors.includes(door);
  }

  /** Call it in onModuleInit. */
  route(route: DoorRoute): void {
    const { door, method, url, scopes, check, handler } = route;
    const { errorBody = factsOf, errorHeaders } = route;
    if (!this.isOpen(door)) return;
    const viewers = new WeakMap<FastifyRequest, Viewer>();
    const viewerOf = (request: FastifyRequest): Viewer => {
      const viewer = viewers.get(request);
      if (!viewer) throw new Error('A request has got past its sign-in.');
      return viewer;
    };
    const refuse = (error: unknown, reply: FastifyReply): void => {
      const described = this.describe(error);
      // The stream has begun, so no error can be sent. The client will retry.
      if (reply.sent) return void reply.raw.destroy();
      const { retryAfter } = described.extensions;
      if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
      const headers = { 'cache-control': 'no-store', ...errorHeaders?.(described) };
      void reply.code(described.status).headers(headers).send(errorBody(described));
    };
    this.http.httpAdapter.getInstance<FastifyInstance>().route({
      method,
      url,
      exposeHeadRoute: false,
      bodyLimit: MAX_IMPORT_BYTES,
      // Before the body is read, because strangers may not send one.
      onRequest: async (request) => {
        check?.(request);
        viewers.set(request, await this.admit(request, scopes));
      },
      preParsing: (request, _reply, payload) => holdLargeBody(request, payload, viewerOf(request)),
      handler: async (request, reply) => {
        const viewer = viewerOf(request);
        requirePresence(request);
        this.limits.addReadingTime(viewer, request);
        try {
          const answer = await handler(viewer, request, reply);
          if (!reply.sent) await reply.header('cache-control', 'no-store').send(answer);
        } catch (error) {
          refuse(error, reply);
        }
        return reply;
      },
      errorHandler: (error, _request, reply) => refuse(error, reply),
    });
  }

  /** Serves a public resource without a token. Call it in onModuleInit. */
  publish(door: DoorName, url: string, read: () => object): void {
    if (!this.isOpen(door)) return;
    this.http.httpAdapter.getInstance<FastifyInstance>().get(url, (_request, reply) => reply.send(read()));
  }

  /** Like `route`, for a WebSocket, which is closed when the viewer's session ends. */
  socket({ door, path, scopes, open }: DoorSocket): void {
    if (!this.isOpen(door)) return;
    this.sockets.route({
      path,
      admit: (request) => this.signedIn(request.headers, request.socket.remoteAddress ?? '', scopes),
      open: (viewer, socket, connection) => {
        const giveBack = this.limits.takeSocket(viewer);
        if (!giveBack) return socket.close(TRY_AGAIN_LATER, 'Too many sockets');
        const stop = this.ends.watch(viewer, () => socket.close(POLICY_VIOLATION, 'The session is over'));
        socket.once('close', () => {
          giveBack();
          stop();
        });
        open(viewer, socket, connection);
      },
    });
  }

  /**
   * Runs work that a client waits for, counted as a subscription. Rejects with RATE_LIMITED, before the work begins,
   * if the viewer has too many.
   */
  async follow<Result>(
    viewer: Viewer,
    reply: FastifyReply,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    return this.inPlace(viewer, () => this.whileThere(viewer, reply, work));
  }

  /** `signal` is aborted when the client leaves or its session ends. */
  async whileThere<Result>(
    viewer: Viewer,
    { raw }: FastifyReply,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const left = new AbortController();
    const leave = (): void => left.abort();
    const stop = this.ends.watch(viewer, leave);
    raw.once('close', leave);
    if (raw.destroyed) leave();
    try {
      return await work(left.signal);
    } finally {
      raw.off('close', leave);
      stop();
    }
  }

  /** Like `follow`, for a client whose connection is watched already. */
  async inPlace<Result>(viewer: Viewer, work: () => Promise<Result>): Promise<Result> {
    const release = this.limits.takeSubscription(viewer);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Rejects with UNAUTHENTICATED, FORBIDDEN or RATE_LIMITED. Counts one operation. */
  private async admit(request: FastifyRequest, scopes: readonly ApiKeyScope[]): Promise<Viewer> {
    const viewer = await this.signedIn(request.headers, request.ip, scopes);
    request.asked = { viewer };
    await this.limits.countOperation(viewer);
    return viewer;
  }

  private async signedIn(
    headers: IncomingHttpHeaders,
    address: string,
    scopes: readonly ApiKeyScope[],
  ): Promise<Viewer> {
    const viewer = await this.signIn.viewerOf(headers.authorization, address);
    if (!viewer)
      throw new DomainError('UNAUTHENTICATED', 'Send a token or an API key as Authorization: Bearer …');
    if (viewer.scopes && !scopes.some((scope) => viewer.scopes?.includes(scope)))
      throw new DomainError('FORBIDDEN', `This needs an API key with the scope ${scopes.join(' or ')}.`, {
        scopes,
      });
    return this.signIn.speakingFor(viewer, namedIn(headers));
  }

  /**
   * Sends frames as fast as the client reads. Resolves at their end. Aborting `signal` closes the connection and
   * `frames`. Call it in `follow`.
   */
  async stream(
    reply: FastifyReply,
    frames: AsyncGenerator<string, void, undefined>,
    signal: AbortSignal,
    headers: OutgoingHttpHeaders = {},
  ): Promise<void> {
    const viewer = requireViewer(reply.request.asked?.viewer ?? null);
    const { raw } = reply.hijack();
    const hangUp = (): void => void raw.destroy();
    if (signal.aborted) hangUp();
    signal.addEventListener('abort', hangUp);
    const keepAlive = setInterval(() => raw.write(': keep-alive\n\n'), KEEP_ALIVE_MS);
    try {
      // Includes headers set before, such as those of CORS.
      raw.writeHead(200, {
        ...(reply.getHeaders() as OutgoingHttpHeaders),
        ...eventStreamHeaders,
        ...headers,
      });
      await writeEvents(raw, frames, this.limits.eventPace(viewer));
    } catch (error) {
      this.logger.error({ err: error }, 'a stream broke off');
      hangUp();
    } finally {
      clearInterval(keepAlive);
      signal.removeEventListener('abort', hangUp);
    }
  }

  /** The part of an error that a client may see. Internal ones are logged. */
  describe(error: unknown): DescribedError {
    return describeError(error, this.logger);
  }
}

function factsOf({ code, message, extensions }: DescribedError): object {
  return { ...extensions, code, message };
}

/** The member for whom a front end asks. Null: none, or an unfilled placeholder. */
function namedIn(headers: IncomingHttpHeaders): string | null {
  const names = USER_HEADERS.map((header) => headers[header]?.toString().trim() ?? '');
  return names.find((name) => name !== '' && !name.includes('{{')) ?? null;
}
