import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { JsonObject } from '@palabre/json';

import { checkInput } from '../../common/check-input.js';
import type { ApiKeyScope, Viewer } from '../../companies/auth/viewer.js';
import { UnstoredConversations } from '../../conversations/turns/erasure/unstored-conversations.service.js';
import { OPENAI_PATH } from '../door-paths.js';
import { type DoorRoute, Doors } from '../doors.service.js';
import { InputItems } from './input-items.service.js';
import { errorBody, refusal } from './openai-errors.js';
import { ASKING_TIMEOUT_MS, isStored, type Known, Responses } from './responses.service.js';
import { ResponseRequest } from './response-request.js';
import { untilDone } from '../wire.js';

const ASKS: readonly ApiKeyScope[] = ['TURNS'];
const READS: readonly ApiKeyScope[] = ['READ', 'TURNS'];

const RESPONSES_PATH = `${OPENAI_PATH}/responses`;

const Wanted = z.object({
  stream: z.stringbool().default(false),
  starting_after: z.coerce.number().int().min(-1).default(-1),
});

type Handler = DoorRoute['handler'];

/** The HTTP routes of Responses. */
@Injectable()
export class ResponsesDoor implements OnModuleInit {
  constructor(
    private readonly doors: Doors,
    private readonly responses: Responses,
    private readonly inputs: InputItems,
    private readonly unstored: UnstoredConversations,
  ) {}

  onModuleInit(): void {
    this.route('POST', '', ASKS, (viewer, request, reply) => this.create(viewer, request, reply));
    this.route('GET', '/:id', READS, (viewer, request, reply) => this.get(viewer, request, reply));
    this.route('POST', '/:id/cancel', ASKS, async (viewer, request) =>
      this.responses.snapshot(viewer, await this.responses.cancel(viewer, idIn(request))),
    );
    this.route('GET', '/:id/input_items', READS, async (viewer, request) =>
      this.inputs.list(viewer, await this.responses.get(viewer, idIn(request))),
    );
  }

  private route(
    method: 'GET' | 'POST',
    path: string,
    scopes: readonly ApiKeyScope[],
    handler: Handler,
  ): void {
    this.doors.route({ door: 'openai', method, url: `${RESPONSES_PATH}${path}`, scopes, errorBody, handler });
  }

  private async create(
    viewer: Viewer,
    { body, headers }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<JsonObject | void> {
    const request = checkInput(ResponseRequest, body, []);
    if (request.background && request.store === false)
      throw refusal('BAD_USER_INPUT', 'A response in the background has to be stored.', {
        code: 'invalid_value',
        param: 'store',
      });
    const idempotencyKey = headers['idempotency-key']?.toString() ?? null;
    const create = (signal: AbortSignal) =>
      this.responses.create(viewer, request, { idempotencyKey }, signal);
    // Nobody waits for it here.
    if (request.background && !request.stream)
      return this.responses.snapshot(viewer, await create(AbortSignal.timeout(ASKING_TIMEOUT_MS)));
    return this.doors.follow(viewer, reply, async (signal) => {
      const known = await create(signal);
      try {
        if (request.stream) return await this.stream(viewer, known, -1, reply, signal);
        return await this.responses.whenOver(viewer, known, signal);
      } finally {
        if (!isStored(known.turn)) await this.unstored.removeAfter(viewer, known.turn.id);
      }
    });
  }

  private async get(
    viewer: Viewer,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<JsonObject | void> {
    const { stream, starting_after: after } = checkInput(Wanted, request.query, []);
    const known = await this.responses.get(viewer, idIn(request));
    if (!stream) return this.responses.snapshot(viewer, known);
    return this.doors.follow(viewer, reply, (signal) => this.stream(viewer, known, after, reply, signal));
  }

  private stream(
    viewer: Viewer,
    known: Known,
    after: number,
    reply: FastifyReply,
    signal: AbortSignal,
  ): Promise<void> {
    const events = this.responses.stream(viewer, known, after, signal);
    return this.doors.stream(reply, untilDone(framesOf(events)), signal);
  }
}

function idIn({ params }: FastifyRequest): string {
  return (params as { id: string }).id;
}

async function* framesOf(events: AsyncIterable<{ type: string }>): AsyncGenerator<string> {
  for await (const event of events) yield `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
