import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { JsonObject } from '@palabre/json';

import { checkInput } from '../../common/check-input.js';
import type { ApiKeyScope, Viewer } from '../../companies/auth/viewer.js';
import { ConversationsService } from '../../conversations/conversations.service.js';
import { UnstoredConversations } from '../../conversations/turns/erasure/unstored-conversations.service.js';
import type { PendingInput } from '../../conversations/turns/inputs/pending-input.entity.js';
import { PendingInputs } from '../../conversations/turns/inputs/pending-inputs.service.js';
import { OPENAI_PATH } from '../door-paths.js';
import { type DoorRoute, Doors } from '../doors.service.js';
import { errorBody, errorHeaders, refusal } from './openai-errors.js';
import { prefixed, type ResponseAddress } from './openai-ids.js';
import { ASKING_TIMEOUT_MS, isStored, type Known, Responses } from './responses.service.js';
import { ResponseRequest } from './response-request.js';
import { sentJson, untilDone } from '../wire.js';

const ASKS: readonly ApiKeyScope[] = ['TURNS'];
const READS: readonly ApiKeyScope[] = ['READ', 'TURNS'];

const RESPONSES_PATH = `${OPENAI_PATH}/responses`;

const Wanted = z.object({
  stream: z.stringbool().default(false),
  starting_after: z.coerce.number().int().min(-1).default(-1),
});

type Handler = DoorRoute['handler'];
type ListedItem = JsonObject & { id: string };

/** The HTTP routes of Responses. */
@Injectable()
export class ResponsesDoor implements OnModuleInit {
  constructor(
    private readonly doors: Doors,
    private readonly responses: Responses,
    private readonly conversations: ConversationsService,
    private readonly pendingInputs: PendingInputs,
    private readonly unstored: UnstoredConversations,
  ) {}

  onModuleInit(): void {
    this.route('POST', '', ASKS, (viewer, request, reply) => this.create(viewer, request, reply));
    this.route('GET', '/:id', READS, (viewer, request, reply) => this.get(viewer, request, reply));
    this.route('POST', '/:id/cancel', ASKS, async (viewer, request) =>
      this.responses.snapshot(viewer, await this.responses.cancel(viewer, idIn(request))),
    );
    this.route('GET', '/:id/input_items', READS, async (viewer, request) =>
      this.inputItems(viewer, await this.responses.get(viewer, idIn(request))),
    );
  }

  private route(
    method: 'GET' | 'POST',
    path: string,
    scopes: readonly ApiKeyScope[],
    handler: Handler,
  ): void {
    const url = `${RESPONSES_PATH}${path}`;
    this.doors.route({ door: 'openai', method, url, scopes, errorBody, errorHeaders, handler });
  }

  private async create(
    viewer: Viewer,
    sent: FastifyRequest,
    reply: FastifyReply,
  ): Promise<JsonObject | void> {
    const request = checkInput(ResponseRequest, sentJson(sent), []);
    if (request.background && request.store === false)
      throw refusal('BAD_USER_INPUT', 'A response in the background has to be stored.', {
        code: 'invalid_value',
        param: 'store',
      });
    const idempotencyKey = sent.headers['idempotency-key']?.toString() ?? null;
    const create = (signal: AbortSignal) =>
      this.responses.create(viewer, request, { idempotencyKey }, signal);
    // Nobody waits for the response here.
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

  /** The input of a response: a question, or the answers that its turn waited for. */
  private async inputItems(viewer: Viewer, { turn, address }: Known): Promise<JsonObject> {
    const data: ListedItem[] =
      address.from === 0
        ? await this.question(viewer, turn.questionId)
        : await this.given(viewer, turn.id, address);
    const [first, last] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
    return { object: 'list', data, first_id: first, last_id: last, has_more: false };
  }

  private async given(viewer: Viewer, turnId: string, address: ResponseAddress): Promise<ListedItem[]> {
    const { asked } = await this.responses.waitBefore(viewer, address);
    const inputs = await this.pendingInputs.listOf(viewer, [turnId]);
    return inputs.filter(({ id }) => asked.has(id)).flatMap((input) => givenItem(input) ?? []);
  }

  private async question(viewer: Viewer, questionId: string): Promise<ListedItem[]> {
    const messages = await this.conversations.findMessages(viewer, [questionId]);
    return messages.map(({ id, text, attachmentIds }) => ({
      type: 'message',
      id: prefixed('msg', id),
      status: 'completed',
      role: 'user',
      content: [
        { type: 'input_text', text },
        ...(attachmentIds ?? []).map((file) => ({ type: 'input_file', file_id: prefixed('file', file) })),
      ],
    }));
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

/** Null: not answered yet. */
function givenItem({ id, kind, status, answer, comment }: PendingInput): ListedItem | null {
  if (status === 'PENDING') return null;
  if (kind === 'APPROVAL') {
    const approve = status === 'APPROVED';
    const item = { approval_request_id: prefixed('apr', id), approve, reason: comment };
    return { type: 'mcp_approval_response', id: prefixed('apa', id), ...item };
  }
  const output = JSON.stringify(answer && 'value' in answer ? answer.value : answer);
  return {
    type: 'function_call_output',
    id: prefixed('fco', id),
    call_id: prefixed('call', id),
    output,
    status: 'completed',
  };
}
