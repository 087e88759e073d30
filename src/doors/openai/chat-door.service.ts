import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { JsonObject } from '@palabre/json';

import { PlainCalls } from '../../agent/plain-calls.service.js';
import { checkInput } from '../../common/check-input.js';
import { notFound } from '../../common/errors/domain-error.js';
import { newId } from '../../common/ids.js';
import { wordingIn } from '../../common/wording/wording.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { TurnsService } from '../../conversations/turns/turns.service.js';
import { clientGone } from '../../graphql/http/http-context.js';
import { OPENAI_PATH } from '../door-paths.js';
import { ClientThreads } from '../client-threads.service.js';
import { Doors } from '../doors.service.js';
import { QuestionPlaces } from '../question-places.service.js';
import { eventFrames, hasLeft, sentJson, untilDone } from '../wire.js';
import { Asks } from './asks.service.js';
import { chatUsage, ChatMapper, type CompletionFacts, completionId } from './chat-mapper.js';
import { askedInChat, ChatRequest, plainMessages, schemaOf, toolsOf } from './chat-request.js';
import { errorBody, errorHeaders, refusal } from './openai-errors.js';
import { prefixed } from './openai-ids.js';
import { exhaust, type Known, Responses } from './responses.service.js';
import { TurnFollower } from '../turn-follower.service.js';

/** The suffix of a model's name for tasks about a chat: `KEY:task`. */
const TASK = ':task';
const MAX_TASK_TOKENS = 2_000;

/** A header's value. Null: absent, or an unfilled placeholder. */
const value = z
  .string()
  .max(200)
  .transform((text) => text.trim())
  .transform((text) => (text === '' || text === 'new' || text.includes('{{') ? null : text))
  .catch(null);

const Headers = z.object({
  'idempotency-key': value,
  'x-palabre-conversation': value,
  'x-openwebui-chat-id': value,
  'x-palabre-task': value,
  'x-palabre-on-disconnect': value,
});

/** Chat completions. The whole history comes with every question, and is matched with stored messages. */
@Injectable()
export class ChatDoor implements OnModuleInit {
  constructor(
    private readonly doors: Doors,
    private readonly responses: Responses,
    private readonly threads: ClientThreads,
    private readonly places: QuestionPlaces,
    private readonly asks: Asks,
    private readonly follower: TurnFollower,
    private readonly turns: TurnsService,
    private readonly plain: PlainCalls,
  ) {}

  onModuleInit(): void {
    this.doors.route({
      door: 'openai',
      method: 'POST',
      url: `${OPENAI_PATH}/chat/completions`,
      scopes: ['TURNS'],
      errorBody,
      errorHeaders,
      handler: (viewer, request, reply) => this.complete(viewer, request, reply),
    });
  }

  private complete(viewer: Viewer, http: FastifyRequest, reply: FastifyReply) {
    const request = checkInput(ChatRequest, sentJson(http), []);
    const given = Headers.parse(http.headers);
    return this.doors.follow(viewer, reply, async (signal) => {
      if (given['x-palabre-task'] !== null || request.model.endsWith(TASK))
        return this.carryOut(viewer, request, reply, signal);
      const known = await this.ask(viewer, request, given, signal);
      const wording = this.follower.wordingOf(viewer, known.turn);
      const tellsUsage = request.stream_options?.include_usage ?? false;
      const mapper = new ChatMapper(factsOf(known, request), tellsUsage, wording);
      const chunks = this.chunks(viewer, known, mapper, signal);
      await (request.stream
        ? this.doors.stream(reply, untilDone(eventFrames(chunks)), signal)
        : exhaust(chunks));
      const isStopped = given['x-palabre-on-disconnect'] === 'cancel' && !mapper.isOver && hasLeft(http);
      if (isStopped) await this.turns.cancel(viewer, known.turn.id);
      if (request.stream) return undefined;
      if (mapper.failure) throw failureOf(mapper.failure);
      if (!mapper.isOver) throw signal.aborted ? clientGone() : notFound('turn');
      return mapper.completion;
    });
  }

  private async ask(
    viewer: Viewer,
    request: ChatRequest,
    headers: z.output<typeof Headers>,
    signal: AbortSignal,
  ): Promise<Known> {
    const asked = askedInChat(request);
    const waiting = await this.responses.goOn(viewer, asked.given, null, signal);
    if (waiting) return waiting;
    const assistant = await this.responses.assistantOf(viewer, request.model);
    const chat = headers['x-palabre-conversation'] ?? headers['x-openwebui-chat-id'];
    const thread = chat === null ? null : await this.threads.find(viewer, assistant.key, chat);
    const conversation = thread?.conversation ?? null;
    // The client's chat id has priority over the history.
    const isNew = thread !== null && conversation === null;
    const place = isNew ? null : await this.places.byTexts(viewer, assistant.id, asked.earlier, conversation);
    const turn = await this.asks.start(
      viewer,
      {
        assistant,
        asked: place ? { ...asked, earlier: [] } : asked,
        place,
        begins: thread?.id ?? null,
        isStored: true,
        tools: toolsOf(request),
        answerSchema: schemaOf(request),
        echo: {},
        body: request,
        idempotencyKey: headers['idempotency-key'],
      },
      signal,
    );
    return { turn, address: { turnId: turn.id, from: 0 } };
  }

  private async *chunks(
    viewer: Viewer,
    { turn, address }: Known,
    mapper: ChatMapper,
    signal: AbortSignal,
  ): AsyncGenerator<JsonObject> {
    yield* mapper.begin();
    for await (const event of this.follower.follow(viewer, turn.id, signal)) {
      if (event.sequence <= address.from) continue;
      yield* await mapper.take(event, await this.follower.reasoningTokens(viewer, event));
      if (mapper.failure) {
        const { code, message } = mapper.failure;
        yield { error: { message, type: 'server_error', param: null, code } };
      }
      if (mapper.isOver) return;
    }
  }

  /** Tasks about a chat, such as a title or tags, are not part of a conversation. */
  private async carryOut(
    viewer: Viewer,
    request: ChatRequest,
    reply: FastifyReply,
    signal: AbortSignal,
  ): Promise<JsonObject | void> {
    const { model, max_tokens: most, max_completion_tokens: mostNow, stream } = request;
    const assistant = await this.responses.assistantOf(
      viewer,
      model.endsWith(TASK) ? model.slice(0, -TASK.length) : model,
    );
    const maxOutputTokens = Math.min(mostNow ?? most ?? MAX_TASK_TOKENS, MAX_TASK_TOKENS);
    const call = { assistant, messages: plainMessages(request), purpose: 'TITLE' as const, maxOutputTokens };
    const { text, usage, isCut } = await this.plain.ask(viewer, call, signal);
    const facts = { id: prefixed('chatcmpl', newId()), createdAt: new Date(), model };
    const wording = async () => wordingIn(assistant.language).doors;
    const mapper = new ChatMapper(facts, request.stream_options?.include_usage ?? false, wording);
    const chunks = [...mapper.begin(), ...mapper.tell(text, isCut, chatUsage(usage, usage.reasoningTokens))];
    return stream ? this.doors.stream(reply, untilDone(eventFrames(chunks)), signal) : mapper.completion;
  }
}

function factsOf({ turn, address }: Known, { model }: ChatRequest): CompletionFacts {
  return { id: completionId(address), createdAt: turn.createdAt, model };
}

/** A failed turn was retried enough. OpenAI's SDKs would ask again. */
function failureOf({ code, message }: NonNullable<ChatMapper['failure']>) {
  return refusal('UNAVAILABLE', message, { code, isFinal: true });
}
