import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { checkInput } from '../../common/check-input.js';
import { badInput, notFound } from '../../common/errors/domain-error.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { keepsBusy } from '../../conversations/turns/turn-event.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import { TurnsService } from '../../conversations/turns/turns.service.js';
import type { ClientTools } from '../client-tools.js';
import { AI_SDK_PATH } from '../door-paths.js';
import { type DoorRoute, Doors } from '../doors.service.js';
import { type Thread, ClientThreads } from '../client-threads.service.js';
import { type RunPart, TurnFrames } from '../turn-frames.js';
import { lastPosition, whenLeft } from '../wire.js';
import { answersIn, ChatRequest, sentMessages, toolParts, toolsOf } from './ai-sdk-input.js';
import { AiSdkMapping } from './ai-sdk-mapping.js';

const STREAM_HEADERS = { 'x-vercel-ai-ui-message-stream': 'v1' };

interface Response {
  request: FastifyRequest;
  reply: FastifyReply;
  tools: ClientTools;
  part?: Partial<RunPart>;
  answered?: ReadonlySet<string>;
}

/** The UI message stream of the AI SDK: a chat is a conversation, each of its assistant's messages a turn. */
@Injectable()
export class AiSdkDoor implements OnModuleInit {
  constructor(
    private readonly doors: Doors,
    private readonly threads: ClientThreads,
    private readonly turns: TurnsService,
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
        errorBody: ({ code, message, extensions }) => ({ ...extensions, code, message }),
        handler,
      });
    route('POST', '', ['TURNS'], (viewer, request, reply) => this.chat(viewer, request, reply));
    route('GET', '/:chatId/stream', ['READ', 'TURNS'], (viewer, request, reply) =>
      this.resume(viewer, request, reply),
    );
    route('POST', '/:chatId/stop', ['TURNS'], (viewer, request) => this.stop(viewer, request));
  }

  private async chat(viewer: Viewer, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const chat = checkInput(ChatRequest, request.body, []);
    const thread = await this.threadOf(viewer, request, chat.id);
    const tools = toolsOf(chat);
    const last = chat.messages.at(-1);
    if (chat.trigger === 'submit-message' && last?.role === 'assistant') {
      const parts = toolParts(last);
      const answers = answersIn(parts, await this.threads.listAsked(viewer, thread));
      const [first, ...others] = answers;
      if (!first) throw badInput(['messages'], 'Nothing waits for what the last message has.');
      const turn = await this.threads.answer(viewer, [first, ...others]);
      const given = parts.filter(({ state }) => state === 'output-available' || state === 'output-error');
      const answered = new Set(given.map(({ toolCallId }) => toolCallId));
      const part = { answered: new Set(answers.map(({ input: { id } }) => id)) };
      return this.stream(viewer, turn, { request, reply, tools, part, answered });
    }
    const turn = await this.turnFor(viewer, thread, { chat, tools, request, reply });
    return this.stream(viewer, turn, { request, reply, tools });
  }

  private async turnFor(
    viewer: Viewer,
    thread: Thread,
    { chat, tools, request, reply }: Response & { chat: ChatRequest },
  ): Promise<Turn> {
    const requestId = request.headers['idempotency-key']?.toString() ?? null;
    const { messageId = null, whenBusy = null } = chat;
    const isAgain = chat.trigger === 'regenerate-message';
    const messages = sentMessages(chat.messages);
    if (isAgain && thread.conversation && (messageId !== null || messages.length === 0)) {
      return this.threads.askAgain(viewer, thread, { messageId, requestId });
    }
    // A message that is edited has an id; one that is new follows what was said, however much of that is sent.
    const withoutHistory = messageId === null ? 'follows' : 'begins';
    const signal = whenLeft(reply);
    return this.threads.ask(viewer, thread, { messages, tools, requestId, whenBusy, withoutHistory, signal });
  }

  /** The newest turn from its beginning, if it is under way: the AI SDK replays what it resumes. */
  private async resume(viewer: Viewer, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const thread = await this.threadOf(viewer, request);
    const turn = (await this.threads.listUnfinished(viewer, thread)).findLast(keepsBusy);
    if (!turn) return void (await reply.code(204).send());
    const tools = toolsOf({ tools: [] });
    await this.stream(viewer, turn, { request, reply, tools, part: { passesUntil: turn.lastSequence } });
  }

  private async stop(viewer: Viewer, request: FastifyRequest): Promise<unknown> {
    const thread = await this.threadOf(viewer, request);
    const turn = (await this.threads.listUnfinished(viewer, thread)).find(keepsBusy);
    if (!turn) throw notFound('stream', ['chatId']);
    const { id: turnId, status } = await this.turns.cancel(viewer, turn.id);
    return { turnId, status };
  }

  private threadOf(viewer: Viewer, { params }: FastifyRequest, id?: string): Promise<Thread> {
    const { assistantKey, chatId } = params as { assistantKey: string; chatId?: string };
    return this.threads.find(viewer, assistantKey, id ?? chatId ?? '');
  }

  private async stream(
    viewer: Viewer,
    turn: Turn,
    { request, reply, tools, part, answered = new Set() }: Response,
  ): Promise<void> {
    const after = lastPosition(request);
    const own = new Set((turn.clientSkills ?? []).map(({ key }) => key));
    const toolNameOf = (skill: string): string | null => (own.has(skill) ? tools.nameOf(skill) : null);
    const mapping = new AiSdkMapping({ turn, answered, toolNameOf });
    const whole = { answered: new Set<string>(), passesUntil: 0, followsBackground: false, ...part };
    const events = await this.turns.events(viewer, turn.id, 0);
    const frames = new TurnFrames({ events, part: whole, mapping, after, trailer: 'data: [DONE]\n\n' });
    await this.doors.stream(viewer, reply, frames, STREAM_HEADERS);
  }
}
