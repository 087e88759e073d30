import type { JsonObject } from '../../common/json.js';
import type {
  FinishReason,
  PlanAction,
  ShownInput,
  SkillCallStatus,
  TurnEvent,
} from '../../conversations/turns/turn-event.js';
import type { RunEnd, TurnMapping } from '../turn-frames.js';

/** A chunk of the UI message stream of AI SDK 7. */
export type Chunk = { type: string; [field: string]: unknown };

export interface AiSdkRun {
  turn: { id: string; conversationId: string; answerId: string };
  /** Calls of which the client has the result, as it has given it. */
  answered: ReadonlySet<string>;
  /** Of a skill of the client, its own name; null: the skill is the server's. */
  toolNameOf: (skill: string) => string | null;
}

type EventOf<Type extends TurnEvent['type']> = Extract<TurnEvent, { type: Type }>;

/** The names of what a client is asked that is no skill of its own: it gives the output of a call of this name. */
const QUESTION_TOOL = 'ask_user';
const MCP_TOOL = 'mcp_input';

const finishReasons: Partial<Record<FinishReason, string>> = { ANSWERED: 'stop', MAX_TOKENS: 'length' };

/** A turn's events as the chunks of one assistant's message, which has the answer's id. */
export class AiSdkMapping implements TurnMapping {
  private open: { type: 'text' | 'reasoning'; id: string } | null = null;
  private blocks = 0;
  private isInStep = false;
  /** Something of the step is finished, so that what is said next is of another step. */
  private hasResults = false;
  /** Something was said in the step: if it is withdrawn, then with what is said next. */
  private hasSaid = false;
  /** What a reset of the step would take away, and must not. */
  private kept: Chunk[] = [];
  private readonly announced = new Set<string>();
  /** The calls of approvals, by the approvals' ids. */
  private readonly approvals = new Map<string, string>();
  private readonly decisions: { action: PlanAction; nextSkill: string | null; reason: string | null }[] = [];

  constructor(private readonly run: AiSdkRun) {}

  begin({ sequence }: { sequence: number }): Chunk[] {
    const { id: turnId, conversationId, answerId } = this.run.turn;
    const messageMetadata = { turnId, conversationId, sequence };
    // What was open before was closed by the end of the response before.
    this.open = null;
    this.isInStep = this.hasResults = false;
    return [{ type: 'start', messageId: answerId, messageMetadata }];
  }

  map(event: TurnEvent, isShown: boolean): Chunk[] {
    const chunks = this.chunksOf(event);
    // A response that begins later has a step of its own.
    if (!isShown) this.isInStep = false;
    return chunks;
  }

  end(event: TurnEvent, end: RunEnd): Chunk[] {
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
    return [...chunks, facts, { type: 'error', errorText: error?.message ?? 'It failed.' }];
  }

  private chunksOf(event: TurnEvent): Chunk[] {
    switch (event.type) {
      case 'text-delta':
        return this.delta('text', event.text);
      case 'reasoning-delta':
        return this.delta('reasoning', event.text);
      case 'text-reset':
        return this.reset();
      case 'plan-decided':
        return this.decided(event);
      case 'skill-started':
        return this.announce(event.callId, event.skill, event.arguments);
      case 'skill-finished':
        return this.result(event);
      case 'skill-loaded':
        return this.keep({ type: 'data-skill-loaded', data: { skill: event.skill } });
      case 'sources-found':
        return this.sources(event);
      case 'approval-requested':
        return this.requested(event.approval);
      case 'input-requested':
        return this.requested(event.input);
      case 'input-resolved':
        return this.resolved(event);
      case 'moved-to-background':
        return this.moved(event);
      case 'status-changed':
        return event.detail === null
          ? []
          : [{ type: 'data-status', data: { status: event.status, detail: event.detail }, transient: true }];
      case 'turn-done':
        return [];
    }
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

  /** Removes what was added in the step, so that what is not withdrawn is told again. */
  private reset(): Chunk[] {
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

  /** A part of the step that is no text. */
  private keep(...chunks: Chunk[]): Chunk[] {
    const before = [...this.close(), ...this.inStep()];
    this.kept.push(...chunks);
    return [...before, ...chunks];
  }

  private close(): Chunk[] {
    const closed = this.open ? [{ type: `${this.open.type}-end`, id: this.open.id }] : [];
    this.open = null;
    return closed;
  }

  private decided({ action, nextSkill, reason }: EventOf<'plan-decided'>): Chunk[] {
    this.decisions.push({ action, nextSkill, reason });
    return this.keep({ type: 'data-plan', id: 'plan', data: { decisions: [...this.decisions] } });
  }

  /** A call whose end, or whose leave, comes later. It is told once, whatever asks for it. */
  private announce(toolCallId: string, skill: string, input: JsonObject): Chunk[] {
    if (this.announced.has(toolCallId)) return [];
    this.announced.add(toolCallId);
    const toolName = this.run.toolNameOf(skill);
    const call = { type: 'tool-input-available', toolCallId, toolName: toolName ?? skill, input };
    return this.keep(toolName === null ? { ...call, dynamic: true, providerExecuted: true } : call);
  }

  private result(event: EventOf<'skill-finished'>): Chunk[] {
    const { callId: toolCallId, skill, callStatus, resultPreview } = event;
    if (this.run.answered.has(toolCallId)) return [];
    const announced = this.announce(toolCallId, skill, {});
    const end = endOf(callStatus, resultPreview, [...this.approvals.values()].includes(toolCallId));
    const told = this.keep({ toolCallId, ...end });
    this.hasResults = true;
    return [...announced, ...told];
  }

  private sources({ sources }: EventOf<'sources-found'>): Chunk[] {
    const chunks = sources.map(({ documentName: title, ...source }) => ({
      type: 'source-document',
      sourceId: `${source.documentId}#${source.marker}`,
      // That of the passage, which is what is cited.
      mediaType: 'text/plain',
      title,
      providerMetadata: { palabre: { ...source } },
    }));
    return chunks.length === 0 ? [] : this.keep(...chunks);
  }

  private requested(input: ShownInput): Chunk[] {
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
        // The call that needs it has been told, so that this is another one.
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
    this.announced.add(toolCallId);
    return this.keep({ type: 'tool-input-available', toolCallId, toolName, input });
  }

  private resolved({ inputId, inputStatus }: EventOf<'input-resolved'>): Chunk[] {
    // Questions end with the call that puts them; what a server asks has no call of its own.
    if (this.announced.has(inputId) && !this.run.answered.has(inputId)) {
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

  private moved({ message, reason }: EventOf<'moved-to-background'>): Chunk[] {
    const data = { turnId: this.run.turn.id, reason };
    return [...this.delta('text', message), ...this.close(), ...this.keep({ type: 'data-background', data })];
  }
}

function endOf(status: SkillCallStatus, preview: string, hadApproval: boolean): Chunk {
  if (status === 'SUCCEEDED') return { type: 'tool-output-available', output: preview };
  if (status === 'DENIED' && hadApproval) return { type: 'tool-output-denied' };
  return { type: 'tool-output-error', errorText: preview };
}
