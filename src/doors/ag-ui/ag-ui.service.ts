import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { checkInput } from '../../common/check-input.js';
import { notFound } from '../../common/errors/domain-error.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import type { SkillCall } from '../../conversations/turns/skill-call.entity.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import { TurnsService } from '../../conversations/turns/turns.service.js';
import { ClientTools, toolNameOf } from '../client-tools.js';
import { AG_UI_PATH } from '../door-paths.js';
import { type DoorRoute, Doors } from '../doors.service.js';
import { type SentAnswer, type Thread, ClientThreads } from '../client-threads.service.js';
import { TurnFollower } from '../turn-follower.service.js';
import { type FramePosition, type RunPart, turnFrames } from '../turn-frames.js';
import { eventFrames, hasLeft, lastPosition, sentJson } from '../wire.js';
import {
  CancelInput,
  lastResults,
  resumeAnswer,
  RunAgentInput,
  sentMessages,
  toolAnswers,
} from './ag-ui-input.js';
import { AgUiMapping, type AgUiMessage, callsMessage, resultMessage } from './ag-ui-mapping.js';

/** The most messages of a thread that a connecting client gets. */
const MAX_TOLD = 100;

interface Run {
  viewer: Viewer;
  thread: Thread;
  input: RunAgentInput;
  request: FastifyRequest;
  reply: FastifyReply;
  /** The client's last frame. Null: none. */
  after: FramePosition | null;
  signal: AbortSignal;
}

/** AG-UI over HTTP: each assistant is an agent. Each run is a turn, or its continuation after an interrupt. */
@Injectable()
export class AgUiDoor implements OnModuleInit {
  constructor(
    private readonly doors: Doors,
    private readonly threads: ClientThreads,
    private readonly turns: TurnsService,
    private readonly follower: TurnFollower,
  ) {}

  onModuleInit(): void {
    const route = (path: string, scopes: DoorRoute['scopes'], handler: DoorRoute['handler']): void =>
      this.doors.route({
        door: 'ag-ui',
        method: 'POST',
        url: `${AG_UI_PATH}/:assistantKey${path}`,
        scopes,
        handler,
      });
    route('', ['TURNS'], (...asked) => this.follow(asked, (run) => this.run(run)));
    route('/connect', ['READ', 'TURNS'], (...asked) => this.follow(asked, (run) => this.connect(run)));
    route('/cancel', ['TURNS'], (viewer, request) => this.cancel(viewer, request));
  }

  private async follow(
    [viewer, request, reply]: Parameters<DoorRoute['handler']>,
    answer: (run: Run) => Promise<void>,
  ): Promise<void> {
    const input = checkInput(RunAgentInput, sentJson(request), []);
    const after = lastPosition(request);
    await this.doors.follow(viewer, reply, async (signal) => {
      const thread = await this.threadOf(viewer, request, input);
      await answer({ viewer, thread, input, request, reply, after, signal });
    });
  }

  private threadOf(viewer: Viewer, { params }: FastifyRequest, input: { threadId: string }): Promise<Thread> {
    const { assistantKey } = params as { assistantKey: string };
    return this.threads.find(viewer, assistantKey, input.threadId);
  }

  /** Answers a turn's inputs, or asks a question, or else shows the current state. */
  private async run(run: Run): Promise<void> {
    const { viewer, input, thread, signal } = run;
    const history = input.messages.filter(({ role }) => role !== 'activity');
    const isAsked = history.at(-1)?.role === 'user' && !input.resume?.length;
    if (!isAsked) await this.requireKnownCalls(run);
    const [first, ...others] = await this.answersIn(run);
    const answered = first && (await this.threads.answer(viewer, [first, ...others]));
    if (answered && !isAsked) {
      const ids = new Set([first, ...others].map(({ input: { id } }) => id));
      return this.stream(run, answered, { history, part: { answered: ids } });
    }
    if (!isAsked && thread.conversation) return this.connect(run);
    const turn = await this.threads.ask(viewer, thread, {
      messages: sentMessages(input),
      tools: new ClientTools(input.tools ?? []),
      requestId: input.runId,
      whenBusy: input.forwardedProps.whenBusy ?? null,
      withoutHistory: input.forwardedProps.follows ? 'follows' : 'begins',
      signal,
    });
    return this.stream(run, turn, { history, part: {} });
  }

  /** The answers to inputs in the request: entries of `resume`, and tool messages. */
  private async answersIn({ viewer, thread, input }: Run): Promise<SentAnswer[]> {
    const { resume } = input;
    const results = lastResults(input);
    if (!resume?.length && results.length === 0) return [];
    const asked = await this.threads.listAsked(viewer, thread);
    const words = await this.follower.wordingOf(viewer, { conversationId: thread.id, assistantId: null })();
    const resumed = (resume ?? []).map((entry, index) => {
      const path = ['resume', String(index)];
      const one = asked.find(({ id }) => id === entry.interruptId);
      if (!one) throw notFound('pending input', [...path, 'interruptId']);
      return resumeAnswer(one, entry, path, words);
    });
    const others = asked.filter(({ id }) => resumed.every((answer) => answer.input.id !== id));
    return [
      ...resumed,
      ...toolAnswers(
        results.map(({ message }) => message),
        others,
      ),
    ];
  }

  /** An unexpected result would be lost, and its client would wait in vain. */
  private async requireKnownCalls({ viewer, thread, input }: Run): Promise<void> {
    const results = lastResults(input);
    if (results.length === 0) return;
    const asked = await this.threads.listAsked(viewer, thread);
    const known = new Set(asked.map(({ callId }) => callId));
    const unknown = results.filter(({ message }) => !known.has(message.toolCallId ?? ''));
    if (unknown.length === 0) return;
    for (const { id } of await this.threads.listCalls(viewer, thread, MAX_TOLD)) known.add(id);
    const stray = unknown.find(({ message }) => !known.has(message.toolCallId ?? ''));
    if (stray) throw notFound('call of a tool', ['messages', String(stray.index), 'toolCallId']);
  }

  /** Sends the stored thread, and follows its newest turn if that has not ended. */
  private async connect(run: Run): Promise<void> {
    const { viewer, thread, reply, signal } = run;
    if (!thread.conversation) throw notFound('thread', ['threadId']);
    const turn = (await this.threads.listUnfinished(viewer, thread)).at(-1);
    const history = await this.listTold(viewer, thread);
    if (turn) {
      const part = { passesUntil: turn.lastSequence, followsBackground: true };
      return this.stream(run, turn, { history, part, tellsHistory: true });
    }
    const { threadId, runId, protocolVersion } = run.input;
    const version = protocolVersion && { protocolVersion: '1.0' };
    const frames = eventFrames([
      { type: 'RUN_STARTED', threadId, runId, ...version, metadata: { conversationId: thread.id } },
      { type: 'MESSAGES_SNAPSHOT', messages: history },
      { type: 'RUN_FINISHED', threadId, runId, ...(version && { outcome: { type: 'success' } }) },
    ]);
    await this.doors.stream(reply, frames, signal);
  }

  /** The thread as its runs have shown it: texts, and before each answer its skill calls. */
  private async listTold(viewer: Viewer, thread: Thread): Promise<AgUiMessage[]> {
    const shown = await this.threads.listShown(viewer, thread, MAX_TOLD);
    const ids = shown.flatMap(({ role, turnId }) => (role === 'ASSISTANT' && turnId) || []);
    const turns = await this.turns.findMany(viewer, ids);
    const made = await this.turns.listSkillCalls(
      viewer,
      turns.map(({ id }) => id),
    );
    return shown.flatMap(({ id, role, text }) => {
      const said = { id, role: role.toLowerCase(), content: text };
      const turn = turns.find(({ answerId }) => answerId === id);
      const calls = made.filter(({ turnId }) => turnId === turn?.id);
      return turn && calls.length > 0 ? [...toldCalls(turn, calls), said] : [said];
    });
  }

  private async stream(
    { viewer, input, request, reply, after, signal }: Run,
    turn: Turn,
    {
      history,
      part,
      tellsHistory = false,
    }: { history: AgUiMessage[]; part: Partial<RunPart>; tellsHistory?: boolean },
  ): Promise<void> {
    const mapping = new AgUiMapping({
      ...input,
      turn,
      isCurrent: Boolean(input.protocolVersion),
      history,
      tellsHistory,
      nameOf: (skill) => toolNameOf(turn, skill) ?? skill,
      wording: this.follower.wordingOf(viewer, turn),
    });
    const events = this.follower.follow(viewer, turn.id, signal);
    await this.doors.stream(reply, turnFrames({ events, part, mapping, after }), signal);
    const isStopped = input.forwardedProps.onDisconnect === 'cancel' && signal.aborted && hasLeft(request);
    if (isStopped) await this.turns.cancel(viewer, turn.id);
  }

  /** Cancels the turn of a run, or without one the thread's active turn. */
  private async cancel(viewer: Viewer, request: FastifyRequest): Promise<unknown> {
    const input = checkInput(CancelInput, sentJson(request), []);
    const thread = await this.threadOf(viewer, request, input);
    return this.threads.stop(viewer, thread, input.runId ?? null);
  }
}

function toldCalls(turn: Turn, calls: readonly SkillCall[]): AgUiMessage[] {
  const named = calls.map(({ id, skill, arguments: given }) => ({
    id,
    name: toolNameOf(turn, skill) ?? skill,
    given,
  }));
  const results = calls.map(({ id, resultPreview }) => resultMessage(id, resultPreview ?? ''));
  return [callsMessage(turn.answerId, named), ...results];
}
