import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { checkInput } from '../../common/check-input.js';
import { badInput } from '../../common/errors/domain-error.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { keepsBusy } from '../../conversations/turns/turn-event.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import { ClientTools, toolNameOf } from '../client-tools.js';
import { AI_SDK_PATH } from '../door-paths.js';
import { type DoorRoute, Doors } from '../doors.service.js';
import { type Thread, ClientThreads } from '../client-threads.service.js';
import { TurnFollower } from '../turn-follower.service.js';
import { type FramePosition, type RunPart, turnFrames } from '../turn-frames.js';
import { lastPosition, sentJson, untilDone } from '../wire.js';
import { answersIn, ChatRequest, sentMessages, toolParts } from './ai-sdk-input.js';
import { AiSdkMapping } from './ai-sdk-mapping.js';

const STREAM_HEADERS = { 'x-vercel-ai-ui-message-stream': 'v1' };

interface Asked {
  viewer: Viewer;
  request: FastifyRequest;
  reply: FastifyReply;
  /** The client's last frame. Null: none. */
  after: FramePosition | null;
  signal: AbortSignal;
}

/** The UI message stream of the AI SDK: a chat is a conversation, each of its assistant's messages a turn. */
@Injectable()
export class AiSdkDoor implements OnModuleInit {
  constructor(
    private readonly doors: Doors,
    private readonly threads: ClientThreads,
    private readonly follower: TurnFollower,
  ) {}

  onModuleInit(): void {
    const route = (
      method: DoorRoute['method'],
      path: string,
      scopes: DoorRoute['scopes'],
      handler: DoorRoute['handler'],
    ): void =>
      this.doors.route({
        door: 'ai-sdk',
        method,
        url: `${AI_SDK_PATH}/:assistantKey${path}`,
        scopes,
        handler,
      });
    route('POST', '', ['TURNS'], (...asked) => this.follow(asked, (one) => this.chat(one)));
    route('GET', '/:chatId/stream', ['READ', 'TURNS'], (...asked) =>
      this.follow(asked, (one) => this.resume(one)),
    );
    route('POST', '/:chatId/stop', ['TURNS'], (viewer, request) => this.stop(viewer, request));
  }

  private follow(
    [viewer, request, reply]: Parameters<DoorRoute['handler']>,
    answer: (asked: Asked) => Promise<void>,
  ): Promise<void> {
    const after = lastPosition(request);
    return this.doors.follow(viewer, reply, (signal) => answer({ viewer, request, reply, after, signal }));
  }

  private async chat(asked: Asked): Promise<void> {
    const { viewer, request } = asked;
    const chat = checkInput(ChatRequest, sentJson(request), []);
    const thread = await this.threadOf(viewer, request, chat.id);
    const last = chat.messages.at(-1);
    if (chat.trigger !== 'submit-message' || last?.role !== 'assistant')
      return this.stream(asked, await this.turnFor(asked, thread, chat));
    const parts = toolParts(last);
    const [first, ...others] = answersIn(parts, await this.threads.listAsked(viewer, thread));
    if (!first) throw badInput(['messages'], 'Nothing waits for what the last message has.');
    const turn = await this.threads.answer(viewer, [first, ...others]);
    const given = parts.filter(({ state }) => state === 'output-available' || state === 'output-error');
    const answered = new Set(given.map(({ toolCallId }) => toolCallId));
    const part = { answered: new Set([first, ...others].map(({ input: { id } }) => id)) };
    return this.stream(asked, turn, { part, answered });
  }

  private async turnFor(
    { viewer, request, signal }: Asked,
    thread: Thread,
    chat: ChatRequest,
  ): Promise<Turn> {
    const { trigger, messages, messageId = null, whenBusy = null } = chat;
    const requestId = request.headers['idempotency-key']?.toString() ?? null;
    const sent = sentMessages(messages);
    const isAgain = trigger === 'regenerate-message';
    if (isAgain && thread.conversation && (messageId !== null || sent.length === 0))
      return this.threads.askAgain(viewer, thread, { messageId, requestId });
    // An edited message has an id. A new one follows the latest message, however much history is sent.
    const withoutHistory = messageId === null ? 'follows' : 'begins';
    const question = {
      messages: sent,
      tools: new ClientTools(chat.tools),
      requestId,
      whenBusy,
      withoutHistory,
      signal,
    } as const;
    return this.threads.ask(viewer, thread, question);
  }

  /** The newest turn from its beginning if it is running, because the AI SDK replays when it resumes. */
  private async resume(asked: Asked): Promise<void> {
    const { viewer, request, reply } = asked;
    const thread = await this.threadOf(viewer, request);
    const turn = (await this.threads.listUnfinished(viewer, thread)).findLast(keepsBusy);
    if (!turn) return void (await reply.code(204).send());
    await this.stream(asked, turn, { part: { passesUntil: turn.lastSequence } });
  }

  private async stop(viewer: Viewer, request: FastifyRequest): Promise<unknown> {
    return this.threads.stop(viewer, await this.threadOf(viewer, request), null);
  }

  private threadOf(viewer: Viewer, { params }: FastifyRequest, id?: string): Promise<Thread> {
    const { assistantKey, chatId } = params as { assistantKey: string; chatId?: string };
    return this.threads.find(viewer, assistantKey, id ?? chatId ?? '');
  }

  private async stream(
    { viewer, reply, after, signal }: Asked,
    turn: Turn,
    { part = {}, answered = new Set() }: { part?: Partial<RunPart>; answered?: ReadonlySet<string> } = {},
  ): Promise<void> {
    const mapping = new AiSdkMapping({
      turn,
      answered,
      toolNameOf: (skill) => toolNameOf(turn, skill),
      wording: this.follower.wordingOf(viewer, turn),
    });
    const events = this.follower.follow(viewer, turn.id, signal);
    const frames = untilDone(turnFrames({ events, part, mapping, after }));
    await this.doors.stream(reply, frames, signal, STREAM_HEADERS);
  }
}
