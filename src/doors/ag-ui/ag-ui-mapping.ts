import type { JsonObject } from '@palabre/json';

import type { Citation } from '../../conversations/message.repository.js';
import {
  isWaiting,
  type ShownInput,
  type TurnEvent,
  type Usage,
} from '../../conversations/turns/turn-event.js';
import type { DoorWording } from '../turn-follower.service.js';
import type { RunEnd, TurnMapping } from '../turn-frames.js';
import { type EventOf, TurnReading } from '../turn-reading.js';

/** An event or a message of AG-UI. */
export type AgUiObject = { [field: string]: unknown };
export type AgUiMessage = AgUiObject & { id: string };

/** The version for clients that declare one. */
const PROTOCOL_VERSION = '1.0';

interface AgUiRun {
  threadId: string;
  runId: string;
  turn: { id: string; conversationId: string; answerId: string };
  /** The client declares a version. Others are older than 1.0, and refuse newer features. */
  isCurrent: boolean;
  /** The client's messages. */
  history: readonly AgUiMessage[];
  /** The server has the history, and sends it to the client. */
  tellsHistory: boolean;
  /** The client's name for a skill. */
  nameOf: (skill: string) => string;
  wording: DoorWording;
}

const approvalSchema = {
  type: 'object',
  properties: {
    approved: { type: 'boolean' },
    editedArgs: {
      type: 'object',
      description: 'The arguments to call it with, in place of those asked for.',
    },
    comment: { type: 'string' },
  },
  required: ['approved'],
};

/** Maps a turn's events to those of one AG-UI run. */
export class AgUiMapping extends TurnReading<AgUiObject> implements TurnMapping {
  private texts = 0;
  private openText: string | null = null;
  /** Texts since the last withdrawal. */
  private readonly shownTexts = new Set<string>();
  private isReasoning = false;
  private hasReasoning = false;
  private readonly answered = new Set<string>();
  /** The client's current messages. */
  private readonly messages: Map<string, AgUiMessage>;
  /** Additions to the client's messages are recorded only if the client sees them. */
  private isShown = false;

  constructor(private readonly run: AgUiRun) {
    super();
    this.messages = new Map(run.history.map((message) => [message.id, message]));
    for (const { role, toolCallId } of run.history) {
      if (role === 'tool' && typeof toolCallId === 'string') this.answered.add(toolCallId);
    }
  }

  begin({ sequence }: { sequence: number }): AgUiObject[] {
    const { threadId, runId, turn, isCurrent, tellsHistory } = this.run;
    const metadata = { sequence, turnId: turn.id, conversationId: turn.conversationId };
    const version = isCurrent && { protocolVersion: PROTOCOL_VERSION };
    // The previous run's end closed everything.
    this.openText = null;
    this.isReasoning = false;
    const started = { type: 'RUN_STARTED', threadId, runId, ...version, metadata };
    return tellsHistory ? [started, this.snapshot()] : [started];
  }

  map(event: TurnEvent, isShown: boolean): AgUiObject[] {
    this.isShown = isShown;
    return this.read(event).map((frame) => ({ ...frame, metadata: metadataOf(event, frame) }));
  }

  async end(event: TurnEvent, end: RunEnd, pending: readonly ShownInput[]): Promise<AgUiObject[]> {
    const metadata: AgUiObject = { sequence: event.sequence, turnId: this.run.turn.id };
    if (event.type === 'turn-done') return [await this.ended(event, metadata)];
    const closed = this.close();
    if (end !== 'waiting') return [...closed, this.finished(metadata, { type: 'success' })];
    const interrupts = pending
      .filter(({ kind }) => kind !== 'CLIENT_SKILL')
      .map((input) => interruptOf(input));
    if (interrupts.length > 0) return [...closed, this.finished(metadata, { type: 'interrupt', interrupts })];
    const pendingToolCallIds = pending.flatMap(({ callId }) => callId ?? []);
    return [...closed, this.finished(metadata, { type: 'success', pendingToolCallIds })];
  }

  protected isAnswered(callId: string): boolean {
    return this.answered.has(callId);
  }

  protected text(delta: string): AgUiObject[] {
    if (this.openText !== null) return [this.content(this.openText, delta)];
    const { answerId } = this.run.turn;
    const messageId = this.texts === 0 ? answerId : `${answerId}:${this.texts}`;
    this.texts += 1;
    const closed = this.closeReasoning();
    this.openText = messageId;
    this.shownTexts.add(messageId);
    this.keep({ id: messageId, role: 'assistant', content: '' });
    return [
      ...closed,
      { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
      this.content(messageId, delta),
    ];
  }

  private content(messageId: string, delta: string): AgUiObject {
    const said = this.messages.get(messageId);
    if (said) this.keep({ ...said, content: `${String(said.content)}${delta}` });
    return { type: 'TEXT_MESSAGE_CONTENT', messageId, delta };
  }

  protected reasoning(delta: string): AgUiObject[] {
    const messageId = this.reasoningId;
    const content = { type: 'REASONING_MESSAGE_CONTENT', messageId, delta };
    const thought = this.messages.get(messageId);
    this.keep({ id: messageId, role: 'reasoning', content: `${String(thought?.content ?? '')}${delta}` });
    if (this.isReasoning) return [content];
    this.isReasoning = this.hasReasoning = true;
    return [
      { type: 'REASONING_START', messageId },
      { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
      content,
    ];
  }

  /** AG-UI cannot withdraw text, but a snapshot replaces all messages. */
  protected withdraw(): AgUiObject[] {
    const closed = this.close();
    if (this.shownTexts.size === 0 && !this.hasReasoning) return closed;
    if (this.isShown) for (const id of this.shownTexts) this.messages.delete(id);
    // A snapshot without reasoning would keep the client's reasoning.
    if (this.hasReasoning) this.keep({ id: this.reasoningId, role: 'reasoning', content: '' });
    this.shownTexts.clear();
    this.hasReasoning = false;
    return [...closed, this.snapshot()];
  }

  protected plan(decisions: readonly object[]): AgUiObject[] {
    const activity = { messageId: `${this.run.turn.id}:plan`, activityType: 'palabre.plan', replace: true };
    return [{ type: 'ACTIVITY_SNAPSHOT', ...activity, content: { decisions } }];
  }

  protected call(toolCallId: string, skill: string, given: JsonObject): AgUiObject[] {
    const name = this.run.nameOf(skill);
    const { toolCalls, ...message } = callsMessage(this.run.turn.answerId, [{ id: toolCallId, name, given }]);
    const { id: parentMessageId } = message;
    const earlier = (this.messages.get(parentMessageId)?.toolCalls ?? []) as AgUiObject[];
    this.keep({ ...message, toolCalls: [...earlier, ...toolCalls] });
    return [
      { type: 'TOOL_CALL_START', toolCallId, toolCallName: name, parentMessageId },
      { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(given) },
      { type: 'TOOL_CALL_END', toolCallId },
    ];
  }

  protected result({ callId, resultPreview }: EventOf<'skill-finished'>): AgUiObject[] {
    const message = resultMessage(callId, resultPreview);
    this.keep(message);
    const { id: messageId, ...result } = message;
    return [{ type: 'TOOL_CALL_RESULT', messageId, ...result }];
  }

  protected loaded(skill: string): AgUiObject[] {
    return [custom('skillLoaded', { skill })];
  }

  protected sources(sources: readonly Citation[]): AgUiObject[] {
    return [custom('sources', { sources })];
  }

  protected resolved(): AgUiObject[] {
    return [];
  }

  protected status({ status, detail }: EventOf<'status-changed'>): AgUiObject[] {
    // A run ends at each wait, so later text is a new message.
    if (isWaiting(status)) return this.close();
    return detail === null || status === 'QUEUED' ? [] : [custom('status', { status, detail })];
  }

  protected requested(input: ShownInput): AgUiObject[] {
    const isCall = input.kind === 'CLIENT_SKILL' || (input.kind ?? 'APPROVAL') === 'APPROVAL';
    if (!isCall || !('skill' in input)) return [];
    return this.announce(input.callId ?? input.id, input.skill, input.arguments);
  }

  protected moved({ message, reason }: EventOf<'moved-to-background'>): AgUiObject[] {
    const messageId = `${this.run.turn.answerId}:background`;
    this.keep({ id: messageId, role: 'assistant', content: message });
    return [
      ...this.close(),
      { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: message },
      { type: 'TEXT_MESSAGE_END', messageId },
      custom('background', { turnId: this.run.turn.id, reason }),
    ];
  }

  private async ended(event: EventOf<'turn-done'>, metadata: AgUiObject): Promise<AgUiObject> {
    const usage = [tokensOf(event.usage)];
    if (event.status === 'COMPLETED') {
      const { finishReason, messageId } = event;
      const { costUsd, modelCalls, skillCalls } = event.usage;
      const facts = { ...metadata, finishReason, messageId, costUsd, modelCalls, skillCalls };
      return { ...this.finished(facts, { type: 'success' }), usage };
    }
    if (event.status === 'CANCELLED') {
      if (this.run.isCurrent) return { ...this.finished(metadata, { type: 'cancelled' }), usage };
      const { cancelled: message } = await this.run.wording();
      return { type: 'RUN_ERROR', message, code: 'CANCELLED', usage, metadata };
    }
    const { code = 'INTERNAL', retryable = false } = event.error ?? {};
    const message = event.error?.message ?? (await this.run.wording()).failed;
    return { type: 'RUN_ERROR', message, code, usage, metadata: { ...metadata, retryable } };
  }

  private finished(metadata: AgUiObject, outcome: { type: string; [field: string]: unknown }): AgUiObject {
    const { threadId, runId, isCurrent } = this.run;
    const finished = { type: 'RUN_FINISHED', threadId, runId, metadata };
    // No outcome means success in all versions.
    return isCurrent || outcome.type === 'interrupt' ? { ...finished, outcome } : finished;
  }

  protected close(): AgUiObject[] {
    const closed = this.closeReasoning();
    if (this.openText !== null) closed.push({ type: 'TEXT_MESSAGE_END', messageId: this.openText });
    this.openText = null;
    return closed;
  }

  private closeReasoning(): AgUiObject[] {
    if (!this.isReasoning) return [];
    this.isReasoning = false;
    const messageId = this.reasoningId;
    return [
      { type: 'REASONING_MESSAGE_END', messageId },
      { type: 'REASONING_END', messageId },
    ];
  }

  private get reasoningId(): string {
    return `${this.run.turn.answerId}:reasoning`;
  }

  private keep(message: AgUiMessage): void {
    if (this.isShown) this.messages.set(message.id, message);
  }

  private snapshot(): AgUiObject {
    return { type: 'MESSAGES_SNAPSHOT', messages: [...this.messages.values()] };
  }
}

interface ToldCall {
  id: string;
  /** The client's name for the skill. */
  name: string;
  given: JsonObject;
}

/** The skill calls of a turn, in one message. */
export function callsMessage(answerId: string, calls: readonly ToldCall[]) {
  const toolCalls = calls.map(({ id, name, given }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(given) },
  }));
  return { id: `${answerId}:calls`, role: 'assistant', toolCalls };
}

export function resultMessage(toolCallId: string, content: string): AgUiMessage {
  return { id: `${toolCallId}:result`, role: 'tool', toolCallId, content };
}

function custom(name: string, value: AgUiObject): AgUiObject {
  return { type: 'CUSTOM', name: `palabre.${name}`, value };
}

function metadataOf(event: TurnEvent, frame: AgUiObject): AgUiObject {
  const { sequence } = event;
  if (frame.type !== 'TOOL_CALL_RESULT' || event.type !== 'skill-finished') return { sequence };
  return { sequence, status: event.callStatus, durationMs: event.durationMs };
}

/** An input for the client, as an interrupt of its run. */
function interruptOf(input: ShownInput): AgUiObject {
  const { id, expiresAt, callId } = input;
  const base = { id, expiresAt, ...(callId !== undefined && { toolCallId: callId }) };
  switch (input.kind) {
    case 'QUESTION':
      return {
        id,
        expiresAt,
        reason: 'input_required',
        message: input.prompt,
        responseSchema: input.responseSchema,
      };
    case 'MCP_INPUT': {
      const { server, url, message, responseSchema } = input;
      const asked = {
        ...base,
        reason: 'input_required',
        message,
        metadata: { server, ...(url !== null && { url }) },
      };
      return responseSchema === null ? asked : { ...asked, responseSchema };
    }
    default: {
      const { skill, arguments: given } = input;
      const message = ('reason' in input && input.reason) || skill;
      const metadata = { skill, arguments: given };
      const toolCallId = callId ?? id;
      return { ...base, toolCallId, reason: 'tool_call', message, responseSchema: approvalSchema, metadata };
    }
  }
}

function tokensOf({ inputTokens, outputTokens, cachedInputTokens }: Usage): AgUiObject {
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, cachedInputTokens };
}
