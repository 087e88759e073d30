import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { isJsonObject, type JsonObject, parseJson } from '@palabre/json';

import { checkInput } from '../../common/check-input.js';
import { badInput } from '../../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { jsonFault } from '../../graphql/limits/json-limits.js';
import { UsageLimits } from '../../graphql/limits/usage-limits.service.js';
import { UnstoredConversations } from '../../conversations/turns/erasure/unstored-conversations.service.js';
import { OPENAI_PATH } from '../door-paths.js';
import { Doors } from '../doors.service.js';
import { errorBody } from './openai-errors.js';
import { addressOf } from './openai-ids.js';
import { itemsOf, ResponseRequest } from './response-request.js';
import { type Asked, isStored, Responses } from './responses.service.js';

/** Requests are answered one after the other; a client that does not wait for answers sends no more than these. */
const MAX_WAITING = 10;
const POLICY_VIOLATION = 1008;
/** A client that reads nothing for this long has gone. */
const STALLED_AFTER_MS = 30_000;

/** What a socket asks for. Only what HTTP is needed for is not taken. */
const Created = ResponseRequest.extend({
  type: z.literal('response.create'),
  stream: z.undefined('On a WebSocket every response is streamed: leave it out.').optional(),
  background: z.undefined('A WebSocket is followed: leave it out.').optional(),
  /** False: nothing is answered; what was sent stands before what comes next with the id of this. */
  generate: z.boolean().default(true),
});
type Created = z.output<typeof Created>;

/** The ends of so many chains wait for what comes next. */
const MAX_WARM = 10;

/** A client of one connection. */
interface Session {
  viewer: Viewer;
  socket: WebSocket;
  /** Aborted when the socket closes. */
  signal: AbortSignal;
  /** By turn: conversations that are not stored, which last as long as the connection. */
  unstored: Map<string, string>;
  /** By the ids of their responses: what was sent ahead, which nobody has answered yet. */
  warm: Map<string, Created>;
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
      open: (viewer, socket) => this.open(viewer, socket),
    });
  }

  private open(viewer: Viewer, socket: WebSocket): void {
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
    socket.on('message', (message: Buffer) => this.receive(session, message));
    socket.once('close', () => {
      left.abort();
      session.answering = session.answering.then(() => this.forget(session));
    });
  }

  private receive(session: Session, message: Buffer): void {
    // Of a client that goes on after the closing frame nothing is kept.
    if (session.waiting > MAX_WAITING) return;
    session.waiting += 1;
    if (session.waiting > MAX_WAITING) return session.socket.close(POLICY_VIOLATION, 'Too many messages');
    session.answering = session.answering.then(() => this.answer(session, message));
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
      await this.respond(session, request);
    } catch (error) {
      // What was to be gone on with may not be what the client takes it for.
      this.evict(session, previous);
      if (session.signal.aborted) return;
      const described = this.doors.describe(error);
      await send(session, { type: 'error', status: described.status, ...errorBody(described) });
    }
  }

  private async respond(session: Session, created: Created): Promise<void> {
    const { viewer, unstored, signal } = session;
    const request = withWarm(session, created);
    const how = { idempotencyKey: null, isAtHand: (turnId: string) => unstored.has(turnId) };
    if (!request.generate) return this.warmUp(session, request, how);
    await this.doors.inPlace(viewer, async () => {
      const known = await this.responses.create(viewer, request, how, signal);
      if (!isStored(known.turn)) unstored.set(known.turn.id, known.turn.conversationId);
      for await (const event of this.responses.stream(viewer, known, -1, signal)) await send(session, event);
    });
  }

  /** Answers with nothing, as nothing is made ready: a question begins as fast without. */
  private async warmUp(session: Session, request: Created, how: Asked): Promise<void> {
    const { id, events } = await this.responses.nothing(session.viewer, request, how);
    session.warm.set(id, request);
    const [oldest] = session.warm.keys();
    if (session.warm.size > MAX_WARM && oldest !== undefined) session.warm.delete(oldest);
    for (const event of events) await send(session, event);
  }

  /** The conversation stays until the connection ends, for others of its responses. */
  private evict({ unstored }: Session, previous: string | null | undefined): void {
    const address = addressOf(previous ?? '');
    if (address) unstored.delete(address.turnId);
  }

  private async forget({ viewer, unstored }: Session): Promise<void> {
    for (const conversationId of new Set(unstored.values()))
      await this.unstored.remove(viewer, conversationId).catch((error: unknown) => {
        // The job removes it later.
        this.logger.warn({ err: error }, 'an unstored conversation could not be removed');
      });
  }
}

/** With what was sent ahead before it. */
function withWarm({ warm }: Session, request: Created): Created {
  const ahead = warm.get(request.previous_response_id ?? '');
  if (!ahead) return request;
  const { previous_response_id, model } = ahead;
  const input = [...itemsOf(ahead), ...itemsOf(request)];
  return { ...request, previous_response_id, model: request.model ?? model, input };
}

function readMessage(message: Buffer): JsonObject {
  const fault = jsonFault(message);
  const body = fault === null ? parseJson(message.toString()) : null;
  if (isJsonObject(body)) return body;
  throw badInput([], fault ?? 'A message is a JSON object.');
}

/** Resolves when the client can be sent more. */
function send({ socket, signal }: Session, message: JsonObject): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) return Promise.resolve();
  const timer = setTimeout(() => socket.terminate(), STALLED_AFTER_MS);
  socket.send(JSON.stringify(message), () => resolve());
  return promise.finally(() => clearTimeout(timer));
}
