import type { Socket } from 'node:net';

import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { isJsonObject, type JsonObject, parseJson } from '@palabre/json';

import { checkInput } from '../../common/check-input.js';
import { badInput, DomainError } from '../../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { jsonFault } from '../../graphql/limits/json-limits.js';
import { MAX_BODY_BYTES } from '../../graphql/limits/operation-limits.js';
import { UsageLimits } from '../../graphql/limits/usage-limits.service.js';
import { STALLED_AFTER_MS } from '../../graphql/streams/event-stream.js';
import { SocketInbox } from '../../graphql/streams/socket-inbox.js';
import { UnstoredConversations } from '../../conversations/turns/erasure/unstored-conversations.service.js';
import { OPENAI_PATH } from '../door-paths.js';
import { Doors } from '../doors.service.js';
import { errorBody } from './openai-errors.js';
import { addressOf } from './openai-ids.js';
import { itemsOf, ResponseRequest } from './response-request.js';
import { type Asked, isStored, Responses } from './responses.service.js';

/** Requests are answered one after the other. A client that does not wait for answers may send only this many. */
const MAX_WAITING = 10;

/** The request over a socket. Features that need HTTP are refused. */
const Created = ResponseRequest.extend({
  type: z.literal('response.create'),
  stream: z.undefined('On a WebSocket every response is streamed: leave it out.').optional(),
  background: z.undefined('A WebSocket is followed: leave it out.').optional(),
  /** False: no answer is generated. The input becomes the beginning of later requests that name this id. */
  generate: z.boolean().default(true),
});
type Created = z.output<typeof Created>;

/** The most prepared inputs that wait for a continuation. */
const MAX_WARM = 10;
/** Their total size, each with the prepared ones that it continues. */
const MAX_WARM_BYTES = MAX_BODY_BYTES;

/** A prepared input, and the size of its messages. */
interface Warm {
  request: Created;
  bytes: number;
}

interface Session {
  viewer: Viewer;
  socket: WebSocket;
  /** Aborted when the socket closes. */
  signal: AbortSignal;
  /** Conversations that are not stored, by turn. They last as long as the connection. */
  unstored: Map<string, string>;
  /** Prepared inputs without an answer, by response id. */
  warm: Map<string, Warm>;
  waiting: number;
  answering: Promise<void>;
}

/** Responses over a WebSocket: `response.create` messages, each answered by the events of its response. */
@Injectable()
export class ResponsesSocket implements OnModuleInit {
  constructor(
    private readonly doors: Doors,
    private readonly limits: UsageLimits,
    private readonly responses: Responses,
    private readonly unstored: UnstoredConversations,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.doors.socket({
      door: 'openai',
      path: `${OPENAI_PATH}/responses`,
      scopes: ['TURNS'],
      open: (viewer, socket, connection) => this.open(viewer, socket, connection),
    });
  }

  private open(viewer: Viewer, socket: WebSocket, connection: Socket): void {
    const left = new AbortController();
    const session: Session = {
      viewer,
      socket,
      signal: left.signal,
      unstored: new Map(),
      warm: new Map(),
      waiting: 0,
      answering: Promise.resolve(),
    };
    const inbox: SocketInbox = new SocketInbox(socket, connection, async (message) => {
      if (!this.receive(session, message)) inbox.end();
    });
    socket.once('close', () => {
      left.abort();
      session.answering = session.answering.then(() => this.forget(session));
    });
  }

  /** False: too many messages wait. */
  private receive(session: Session, message: Buffer): boolean {
    if (session.waiting >= MAX_WAITING) return false;
    session.waiting += 1;
    session.answering = session.answering.then(() => this.answer(session, message));
    return true;
  }

  /** Never rejects. */
  private async answer(session: Session, message: Buffer): Promise<void> {
    session.waiting -= 1;
    if (session.signal.aborted) return;
    let previous: string | null | undefined;
    try {
      await this.limits.countOperation(session.viewer);
      const body = this.limits.measure(session.viewer, () => readMessage(message));
      const request = checkInput(Created, body, []);
      previous = request.previous_response_id;
      await this.respond(session, withWarm(session, { request, bytes: message.length }));
    } catch (error) {
      // After a failure, the state may differ from the client's.
      this.evict(session, previous);
      if (session.signal.aborted) return;
      const described = this.doors.describe(error);
      await send(session, { type: 'error', status: described.status, ...errorBody(described) });
    }
  }

  private async respond(session: Session, { request, bytes }: Warm): Promise<void> {
    const { viewer, unstored, signal } = session;
    const how = { idempotencyKey: null, isAtHand: (turnId: string) => unstored.has(turnId) };
    if (!request.generate) return this.warmUp(session, { request, bytes }, how);
    await this.doors.inPlace(viewer, async () => {
      const known = await this.responses.create(viewer, request, how, signal);
      if (!isStored(known.turn)) unstored.set(known.turn.id, known.turn.conversationId);
      for await (const event of this.responses.stream(viewer, known, -1, signal)) await send(session, event);
    });
  }

  /** Answers with an empty response. Nothing is prepared, because questions start as fast without. */
  private async warmUp(session: Session, prepared: Warm, how: Asked): Promise<void> {
    const { warm } = session;
    if (prepared.bytes > MAX_WARM_BYTES)
      throw new DomainError(
        'PAYLOAD_TOO_LARGE',
        `At most ${MAX_WARM_BYTES} bytes are prepared, with all that they continue: ask your question.`,
      );
    const { id, events } = await this.responses.nothing(session.viewer, prepared.request, how);
    warm.set(id, prepared);
    for (const oldest of warm.keys()) {
      if (warm.size <= MAX_WARM && sizeOf(warm) <= MAX_WARM_BYTES) break;
      warm.delete(oldest);
    }
    for (const event of events) await send(session, event);
  }

  /** Removes a response. Its conversation stays for others until the connection ends. */
  private evict({ unstored }: Session, previous: string | null | undefined): void {
    const address = addressOf(previous ?? '');
    if (address) unstored.delete(address.turnId);
  }

  private async forget({ viewer, unstored }: Session): Promise<void> {
    for (const conversationId of new Set(unstored.values()))
      await this.unstored.remove(viewer, conversationId).catch((error: unknown) => {
        // A job removes it later.
        this.logger.warn({ err: error }, 'an unstored conversation could not be removed');
      });
  }
}

/** Adds prepared inputs before the request. */
function withWarm({ warm }: Session, { request, bytes }: Warm): Warm {
  const ahead = warm.get(request.previous_response_id ?? '');
  if (!ahead) return { request, bytes };
  const { previous_response_id, model } = ahead.request;
  const input = [...itemsOf(ahead.request), ...itemsOf(request)];
  return {
    request: { ...request, previous_response_id, model: request.model ?? model, input },
    bytes: ahead.bytes + bytes,
  };
}

function sizeOf(warm: Session['warm']): number {
  return [...warm.values()].reduce((sum, { bytes }) => sum + bytes, 0);
}

function readMessage(message: Buffer): JsonObject {
  const fault = jsonFault(message);
  const body = fault === null ? parseJson(message.toString()) : null;
  if (isJsonObject(body)) return body;
  throw badInput([], fault ?? 'A message is a JSON object.');
}

/** Resolves when the client can receive more. */
function send({ socket, signal }: Pick<Session, 'socket' | 'signal'>, message: JsonObject): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) return Promise.resolve();
  const timer = setTimeout(() => socket.terminate(), STALLED_AFTER_MS);
  socket.send(JSON.stringify(message), () => resolve());
  return promise.finally(() => clearTimeout(timer));
}
