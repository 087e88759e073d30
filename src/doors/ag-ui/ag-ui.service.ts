import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { checkInput } from '../../common/check-input.js';
import { notFound } from '../../common/errors/domain-error.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import type { Message } from '../../conversations/message.entity.js';
import { keepsBusy } from '../../conversations/turns/turn-event.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import { TurnsService } from '../../conversations/turns/turns.service.js';
import { AG_UI_PATH } from '../door-paths.js';
import { type DoorRoute, Doors } from '../doors.service.js';
import { type SentAnswer, type Thread, ClientThreads } from '../client-threads.service.js';
import { type RunPart, TurnFrames } from '../turn-frames.js';
import { hasLeft, lastPosition, whenLeft } from '../wire.js';
import {
  CancelInput,
  requireQuestion,
  resumeAnswer,
  RunAgentInput,
  sentMessages,
  toolAnswers,
  toolsOf,
} from './ag-ui-input.js';
import { AgUiMapping, type AgUiMessage, type AgUiObject } from './ag-ui-mapping.js';

/** Of a thread, so many messages are told to a client that connects. */
const MAX_TOLD = 100;

interface Run {
  thread: Thread;
  input: RunAgentInput;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** AG-UI over HTTP: each assistant is an agent, each run a turn or what follows an interrupt of one. */
@Injectable()
export class AgUiDoor implements OnModuleInit {
  constructor(
    private readonly doors: Doors,
    private readonly threads: ClientThreads,
    private readonly turns: TurnsService,
  ) {}

  onModuleInit(): void {
    const route = (path: string, scopes: DoorRoute['scopes'], handler: DoorRoute['handler']): void =>
      this.doors.route({
        door: 'ag-ui',
        method: 'POST',
        url: `${AG_UI_PATH}/:assistantKey${path}`,
        scopes,
        errorBody: ({ code, message, extensions }) => ({ ...extensions, code, message }),
        handler,
      });
    route('', ['TURNS'], async (viewer, request, reply) =>
      this.run(viewer, await this.read(viewer, request, reply)),
    );
    route('/connect', ['READ', 'TURNS'], async (viewer, request, reply) =>
      this.connect(viewer, await this.read(viewer, request, reply)),
    );
    route('/cancel', ['TURNS'], (viewer, request) => this.cancel(viewer, request));
  }

  private async read(viewer: Viewer, request: FastifyRequest, reply: FastifyReply): Promise<Run> {
    const input = checkInput(RunAgentInput, request.body, []);
    return { thread: await this.threadOf(viewer, request, input), input, request, reply };
  }

  private threadOf(viewer: Viewer, { params }: FastifyRequest, input: { threadId: string }): Promise<Thread> {
    const { assistantKey } = params as { assistantKey: string };
    return this.threads.find(viewer, assistantKey, input.threadId);
  }

  /** Answers what a turn waits for, or asks, or where the client does neither shows what there is. */
  private async run(viewer: Viewer, run: Run): Promise<void> {
    const { input, thread, reply } = run;
    const history = input.messages.filter(({ role }) => role !== 'activity');
    const answers = await this.answersIn(viewer, run);
    const isAsked = history.at(-1)?.role === 'user' && !input.resume?.length;
    const [first, ...others] = answers;
    const answered = first && (await this.threads.answer(viewer, [first, ...others]));
    if (answered && !isAsked) {
      const ids = new Set(answers.map(({ input: { id } }) => id));
      return this.stream(viewer, run, answered, { history, part: { answered: ids } });
    }
    if (!isAsked && thread.conversation) return this.connect(viewer, run);
    const messages = sentMessages(input);
    requireQuestion(messages);
    const turn = await this.threads.ask(viewer, thread, {
      messages,
      tools: toolsOf(input),
      requestId: input.runId,
      whenBusy: input.forwardedProps.whenBusy ?? null,
      withoutHistory: input.forwardedProps.follows ? 'follows' : 'begins',
      signal: whenLeft(reply),
    });
    return this.stream(viewer, run, turn, { history, part: {} });
  }

  /** What the request gives of what turns wait for, as entries of `resume` and as messages of tools. */
  private async answersIn(viewer: Viewer, { thread, input }: Run): Promise<SentAnswer[]> {
    const resumed = await Promise.all(
      (input.resume ?? []).map(async (entry, index) => {
        const path = ['resume', String(index)];
        const asked = await this.threads.getAsked(viewer, thread, entry.interruptId, [
          ...path,
          'interruptId',
        ]);
        return resumeAnswer(asked, entry, path);
      }),
    );
    if (!input.messages.some(({ role }) => role === 'tool')) return resumed;
    const asked = await this.threads.listAsked(viewer, thread);
    const others = asked.filter(({ id }) => resumed.every((answer) => answer.input.id !== id));
    return [...resumed, ...toolAnswers(input.messages, others)];
  }

  /** The thread as it is stored, and what its newest turn does if that has not ended. */
  private async connect(viewer: Viewer, run: Run): Promise<void> {
    const { thread } = run;
    if (!thread.conversation) throw notFound('thread', ['threadId']);
    const turn = (await this.threads.listUnfinished(viewer, thread)).at(-1);
    const shown = await this.threads.listShown(viewer, thread, MAX_TOLD);
    const history = shown.map(toldMessage);
    if (turn) {
      const part = { passesUntil: turn.lastSequence, followsBackground: true };
      return this.stream(viewer, run, turn, { history, part, tellsHistory: true });
    }
    const { threadId, runId, protocolVersion } = run.input;
    const version = protocolVersion && { protocolVersion: '1.0' };
    await this.doors.stream(
      viewer,
      run.reply,
      framesOf([
        { type: 'RUN_STARTED', threadId, runId, ...version, metadata: { conversationId: thread.id } },
        { type: 'MESSAGES_SNAPSHOT', messages: history },
        { type: 'RUN_FINISHED', threadId, runId, ...(version && { outcome: { type: 'success' } }) },
      ]),
    );
  }

  private async stream(
    viewer: Viewer,
    { input, request, reply }: Run,
    turn: Turn,
    {
      history,
      part,
      tellsHistory = false,
    }: { history: AgUiMessage[]; part: Partial<RunPart>; tellsHistory?: boolean },
  ): Promise<void> {
    const after = lastPosition(request);
    const tools = toolsOf(input);
    const mapping = new AgUiMapping({
      ...input,
      turn,
      isCurrent: Boolean(input.protocolVersion),
      history,
      tellsHistory,
      nameOf: (skill) => tools.nameOf(skill),
    });
    const events = await this.turns.events(viewer, turn.id, 0);
    const whole = { answered: new Set<string>(), passesUntil: 0, followsBackground: false, ...part };
    const frames = new TurnFrames({ events, part: whole, mapping, after });
    await this.doors.stream(viewer, reply, frames);
    const isStopped = input.forwardedProps.onDisconnect === 'cancel' && !frames.isRead && hasLeft(request);
    if (isStopped) await this.turns.cancel(viewer, turn.id);
  }

  /** Ends the turn of a run; without a run that has started one, the one that the thread's member waits for. */
  private async cancel(viewer: Viewer, request: FastifyRequest): Promise<unknown> {
    const input = checkInput(CancelInput, request.body, []);
    const thread = await this.threadOf(viewer, request, input);
    const unfinished = await this.threads.listUnfinished(viewer, thread);
    const named = input.runId && (await this.threads.findAsked(viewer, thread, input.runId));
    const turn = named || (unfinished.find(keepsBusy) ?? unfinished.at(-1));
    if (!turn) throw notFound('run', ['threadId']);
    const { id: turnId, status } = await this.turns.cancel(viewer, turn.id);
    return { turnId, status };
  }
}

function toldMessage({ id, role, text }: Message): AgUiMessage {
  return { id, role: role.toLowerCase(), content: text };
}

async function* framesOf(frames: readonly AgUiObject[]): AsyncGenerator<string, void, undefined> {
  for (const frame of frames) yield `data: ${JSON.stringify(frame)}\n\n`;
}
