import type { OutgoingHttpHeaders } from 'node:http';

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ExecutionResult, GraphQLError } from 'graphql';
import {
  createHandler,
  isAsyncIterable,
  type OperationArgs,
  type Request,
  type RequestParams,
  type Response,
} from 'graphql-sse';

import { requireViewer } from '../../companies/auth/graphql-context.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { subscribeToEvents } from '../../conversations/turns/turn-events-subscription.js';
import { loggedName } from '../apollo-plugins.js';
import { ClientErrors } from '../client-errors.service.js';
import { eventStreamHeaders, wantsEvents, writeEvents } from './event-stream.js';
import { GRAPHQL_PATH } from './graphql-socket.service.js';
import { httpRefusal } from '../http/http-context.js';
import { UsageLimits } from '../limits/usage-limits.service.js';
import { type Operation, Operations } from '../operations.service.js';
import { PacedResults } from './paced-results.js';
import { SessionEnds } from './session-ends.service.js';
import { SignIn } from '../sign-in.service.js';

/** Always streams, whatever the client accepts. */
export const STREAM_PATH = `${GRAPHQL_PATH}/stream`;

interface Exchange {
  viewer: Viewer;
  operation: Operation | null;
  results: PacedResults | null;
}

type SseRequest = Request<FastifyRequest, Exchange>;

/** For networks without WebSockets: one stream for each operation. A stream without `complete` was cut off. */
@Injectable()
export class GraphQLSse implements OnModuleInit {
  private readonly handle = createHandler<FastifyRequest, Exchange>({
    // No token: each operation has its own connection.
    authenticate: () => null,
    onSubscribe: (request, params) => this.prepare(request, params),
    execute: (args) => this.operations.execute(args),
    subscribe: subscribeToEvents,
    onOperation: (_context, request, _args, result) => {
      if (!isAsyncIterable<ExecutionResult>(result)) return;
      return (request.context.results = new PacedResults(result[Symbol.asyncIterator]()));
    },
    onNext: (_context, _request, result) => this.errors.in(result as ExecutionResult) as ExecutionResult,
  });

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly operations: Operations,
    private readonly signIn: SignIn,
    private readonly ends: SessionEnds,
    private readonly errors: ClientErrors,
    private readonly limits: UsageLimits,
  ) {}

  onModuleInit(): void {
    const fastify = this.http.httpAdapter.getInstance<FastifyInstance>();
    // Apollo owns the route. The hook runs after Fastify has parsed the body, so its limits apply here too.
    fastify.addHook('preHandler', async (request, reply) => {
      const { url } = request.routeOptions;
      if (url === GRAPHQL_PATH && wantsEvents(request.headers.accept)) await this.serve(request, reply);
    });
    fastify.route({
      method: ['GET', 'POST'],
      url: STREAM_PATH,
      exposeHeadRoute: false,
      handler: (request, reply) => this.serve(request, reply),
    });
  }

  private async serve(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    let exchange: Exchange | null = null;
    try {
      exchange = { viewer: await this.viewerOf(request), operation: null, results: null };
      const [body, init] = await this.handle(sseRequest(request, exchange));
      if (body === null || typeof body === 'string') throw refusalOf(body, init);
      await this.stream(reply, exchange, body);
    } catch (error) {
      this.fail(reply, error);
    } finally {
      exchange?.operation?.release();
    }
  }

  private async viewerOf(request: FastifyRequest): Promise<Viewer> {
    const { headers, ip } = request;
    const viewer = await this.signIn.viewerOf(headers.authorization, ip, headers);
    request.asked = { viewer };
    return requireViewer(viewer);
  }

  private async prepare(
    { raw, context }: SseRequest,
    params: RequestParams,
  ): Promise<OperationArgs<undefined> | AsyncGenerator<ExecutionResult>> {
    const operation = await this.operations.prepare(context.viewer, params, () => raw.raw.socket.destroyed);
    this.limits.addReadingTime(context.viewer, raw);
    if (!('args' in operation)) return only({ errors: operation });
    context.operation = operation;
    raw.asked = { viewer: context.viewer, operation: loggedName(operation.definition) };
    return operation.args as OperationArgs<undefined>;
  }

  private async stream(
    reply: FastifyReply,
    { viewer, operation, results }: Exchange,
    events: AsyncGenerator<string, void, undefined>,
  ): Promise<void> {
    const { raw } = reply.hijack();
    // Only subscriptions end with the session: after erasing themselves, members still get the answer.
    const lasts = operation?.definition.operation === 'subscription';
    const stop = lasts ? this.ends.watch(viewer, () => raw.destroy()) : null;
    try {
      // Includes headers set before, such as those of CORS.
      raw.writeHead(200, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...eventStreamHeaders });
      await writeEvents(raw, events, this.limits.eventPace(viewer), () => results?.taken());
    } finally {
      stop?.();
    }
  }

  private fail(reply: FastifyReply, error: unknown): void {
    const refusal = httpRefusal(error);
    const shown = this.errors.of(refusal);
    // The stream has begun, so no error can be sent: the client reconnects.
    if (reply.sent) return void reply.raw.destroy();
    const { status = 500, headers = [] } = httpOf(refusal);
    for (const [name, value] of headers) reply.header(name, value);
    void reply.code(status).send({ errors: [shown] });
  }
}

/** An error result as a stream, as graphql-sse ignores results without `data`. */
async function* only(result: ExecutionResult): AsyncGenerator<ExecutionResult> {
  yield result;
}

function sseRequest(request: FastifyRequest, context: Exchange): SseRequest {
  return {
    method: request.method,
    url: request.url,
    headers: {
      // The decision to stream was made before. graphql-sse reads no other header.
      get: (name) => (name === 'accept' ? 'text/event-stream' : request.headers[name]?.toString()),
    },
    body: (request.body ?? null) as Record<string, unknown> | null,
    raw: request,
    context,
  };
}

/** Formats refusals of graphql-sse itself, such as a missing query, like all others. */
function refusalOf(body: string | null, { status, statusText, headers }: Response[1]): GraphQLError {
  const { errors } = JSON.parse(body ?? '{}') as { errors?: { message: string }[] };
  const http = { status, headers: Object.entries(headers?.allow ? { allow: headers.allow } : {}) };
  return new GraphQLError(errors?.[0]?.message ?? statusText, {
    extensions: { code: 'BAD_USER_INPUT', http },
  });
}

function httpOf(error: unknown): { status?: number; headers?: Iterable<[string, string]> } {
  return (error instanceof GraphQLError && (error.extensions.http as object | undefined)) || {};
}
