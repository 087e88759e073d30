import type { JsonObject } from '@palabre/json';

import type { Citation } from '../../conversations/message.repository.js';
import type {
  FinishReason,
  ShownInput,
  SkillCallStatus,
  TurnEvent,
} from '../../conversations/turns/turn-event.js';
import type { DoorWording } from '../turn-follower.service.js';
import type { RunEnd, TurnMapping } from '../turn-frames.js';
import { type EventOf, TurnReading } from '../turn-reading.js';

/** A chunk of the UI message stream of AI SDK 7. */
export type Chunk = { type: string; [field: string]: unknown };

interface AiSdkRun {
  turn: { id: string; conversationId: string; answerId: string };
  /** Calls whose result is from the client. */
  answered: ReadonlySet<string>;
  /** The client's own name for its skill. Null: a skill of the server. */
  toolNameOf: (skill: string) => string | null;
  wording: DoorWording;
}

/** The tool name for questions. The client answers by the output of a call with this name. */
const QUESTION_TOOL = 'ask_user';
const MCP_TOOL = 'mcp_input';

const finishReasons: Partial<Record<FinishReason, string>> = { ANSWERED: 'stop', MAX_TOKENS: 'length' };

/** Maps a turn's events to the chunks of one assistant message, which has the answer's id. */
export class AiSdkMapping extends TurnReading<Chunk> implements TurnMapping {
  private open: { type: 'text' | 'reasoning'; id: string } | null = null;
  private blocks = 0;
  private isInStep = false;
  /** The step has a finished call, so later text belongs to a new step. */
  private hasResults = false;
  /** The step has text. If it is withdrawn, so is the following text. */
  private hasSaid = false;
  /** Chunks that a reset of the step must repeat. */
  private kept: Chunk[] = [];
  /** Call ids by approval id. */
  private readonly approvals = new Map<string, string>();

  constructor(private readonly run: AiSdkRun) {
    super();
  }

  begin({ sequence }: { sequence: number }): Chunk[] {
    const { id: turnId, conversationId, answerId } = this.run.turn;
    const messageMetadata = { turnId, conversationId, sequence };
    // The previous response's end closed everything.
    this.open = null;
    this.isInStep = this.hasResults = false;
    return [{ type: 'start', messageId: answerId, messageMetadata }];
  }

  map(event: TurnEvent, isShown: boolean): Chunk[] {
    const chunks = this.read(event);
    // A later response has its own step.
    if (!isShown) this.isInStep = false;
    return chunks;
  }

  async end(event: TurnEvent, end: RunEnd): Promise<Chunk[]> {
    const chunks = this.close();
    if (this.isInStep) chunks.push({ type: 'finish-step' });
    const metadata: Record<string, unknown> = { sequence: event.sequence };
    if (event.type !== 'turn-done') {
      const finishReason = end === 'waiting' ? 'tool-calls' : 'other';
      return [...chunks, { type: 'finish', finishReason, messageMetadata: metadata }];
    }
    const { status, finishReason, messageId, usage, error } = event;
    Object.assign(metadata, { status, finishReason, messageId, usage });
    if (status === 'COMPLETED') {
      const reason = finishReasons[finishReason] ?? 'other';
      return [...chunks, { type: 'finish', finishReason: reason, messageMetadata: metadata }];
    }
    const facts = { type: 'message-metadata', messageMetadata: { ...metadata, ...(error && { error }) } };
    if (status === 'CANCELLED') return [...chunks, facts, { type: 'abort', reason: finishReason }];
    const errorText = error?.message ?? (await this.run.wording()).failed;
    return [...chunks, facts, { type: 'error', errorText }];
  }

  protected isAnswered(callId: string): boolean {
    return this.run.answered.has(callId);
  }

  protected text(delta: string): Chunk[] {
    return this.delta('text', delta);
  }

  protected reasoning(delta: string): Chunk[] {
    return this.delta('reasoning', delta);
  }

  private delta(type: 'text' | 'reasoning', delta: string): Chunk[] {
    if (this.open?.type === type) return [{ type: `${type}-delta`, id: this.open.id, delta }];
    const closed = this.close();
    if (this.isInStep && this.hasResults && !this.hasSaid) {
      closed.push({ type: 'finish-step' });
      this.isInStep = false;
    }
    const step = this.inStep();
    this.blocks += 1;
    this.hasSaid = true;
    const id = `${type}-${this.blocks}`;
    this.open = { type, id };
    return [...closed, ...step, { type: `${type}-start`, id }, { type: `${type}-delta`, id, delta }];
  }

  /** Removes everything in the step, and repeats what is not withdrawn. */
  protected withdraw(): Chunk[] {
    if (!this.isInStep) return [];
    this.open = null;
    this.hasSaid = false;
    return [{ type: 'reset-step' }, ...this.kept];
  }

  private inStep(): Chunk[] {
    if (this.isInStep) return [];
    this.isInStep = true;
    this.hasResults = this.hasSaid = false;
    this.kept = [];
    return [{ type: 'start-step' }];
  }

  /** Records chunks of the step other than text. */
  private keep(...chunks: Chunk[]): Chunk[] {
    const before = [...this.close(), ...this.inStep()];
    this.kept.push(...chunks);
    return [...before, ...chunks];
  }

  protected close(): Chunk[] {
    const closed = this.open ? [{ type: `${this.open.type}-end`, id: this.open.id }] : [];
    this.open = null;
    return closed;
  }

  protected plan(decisions: readonly object[]): Chunk[] {
    return this.keep({ type: 'data-plan', id: 'plan', data: { decisions } });
  }

  protected call(toolCallId: string, skill: string, input: JsonObject): Chunk[] {
    const toolName = this.run.toolNameOf(skill);
    const call = { type: 'tool-input-available', toolCallId, toolName: toolName ?? skill, input };
    return this.keep(toolName === null ? { ...call, dynamic: true, providerExecuted: true } : call);
  }

  protected result({ callId: toolCallId, callStatus, resultPreview }: EventOf<'skill-finished'>): Chunk[] {
    const hadApproval = [...this.approvals.values()].includes(toolCallId);
    const told = this.keep({ toolCallId, ...endOf(callStatus, resultPreview, hadApproval) });
    this.hasResults = true;
    return told;
  }

  protected loaded(skill: string): Chunk[] {
    return this.keep({ type: 'data-skill-loaded', data: { skill } });
  }

  protected status({ status, detail }: EventOf<'status-changed'>): Chunk[] {
    return detail === null ? [] : [{ type: 'data-status', data: { status, detail }, transient: true }];
  }

  protected sources(sources: readonly Citation[]): Chunk[] {
    const chunks = sources.map(({ documentName: title, ...source }) => ({
      type: 'source-document',
      sourceId: `${source.documentId}#${source.marker}`,
      // The type of the cited passage.
      mediaType: 'text/plain',
      title,
      providerMetadata: { palabre: { ...source } },
    }));
    return chunks.length === 0 ? [] : this.keep(...chunks);
  }

  protected requested(input: ShownInput): Chunk[] {
    const toolCallId = input.callId ?? input.id;
    switch (input.kind) {
      case 'CLIENT_SKILL':
        return this.announce(toolCallId, input.skill, input.arguments);
      case 'QUESTION': {
        const { prompt, responseSchema } = input;
        return this.asked(toolCallId, QUESTION_TOOL, { prompt, responseSchema });
      }
      case 'MCP_INPUT': {
        const { server, message, responseSchema, url } = input;
        // The call itself was sent already, so this is another one.
        return this.asked(input.id, MCP_TOOL, { server, message, responseSchema, url });
      }
      default: {
        this.approvals.set(input.id, toolCallId);
        const announced = this.announce(toolCallId, input.skill, input.arguments);
        const reason = 'reason' in input && input.reason ? { reason: input.reason } : {};
        const request = { type: 'tool-approval-request', approvalId: input.id, toolCallId, ...reason };
        return [...announced, ...this.keep(request)];
      }
    }
  }

  private asked(toolCallId: string, toolName: string, input: JsonObject): Chunk[] {
    return this.once(toolCallId, () =>
      this.keep({ type: 'tool-input-available', toolCallId, toolName, input }),
    );
  }

  protected resolved({ inputId, inputStatus }: EventOf<'input-resolved'>): Chunk[] {
    // Questions end with their call. A server's questions have no call of their own.
    if (this.isAnnounced(inputId) && !this.run.answered.has(inputId)) {
      return this.keep({
        type: 'tool-output-available',
        toolCallId: inputId,
        output: { status: inputStatus },
      });
    }
    if (!this.approvals.has(inputId)) return [];
    const approved = inputStatus === 'APPROVED';
    return this.keep({ type: 'tool-approval-response', approvalId: inputId, approved });
  }

  protected moved({ message, reason }: EventOf<'moved-to-background'>): Chunk[] {
    const data = { turnId: this.run.turn.id, reason };
    return [...this.delta('text', message), ...this.close(), ...this.keep({ type: 'data-background', data })];
  }
}

function endOf(status: SkillCallStatus, preview: string, hadApproval: boolean): Chunk {
  if (status === 'SUCCEEDED') return { type: 'tool-output-available', output: preview };
  if (status === 'DENIED' && hadApproval) return { type: 'tool-output-denied' };
  return { type: 'tool-output-error', errorText: preview };
}
