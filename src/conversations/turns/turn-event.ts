import type { Echo, ModelFault } from '@palabre/llm-client';
import type { JsonObject, JsonValue } from '@palabre/json';

import type { Citation } from '../message.repository.js';
import type { StoredPart } from '../message-part.js';

export const turnStatuses = [
  'QUEUED',
  'RUNNING',
  'WAITING_FOR_APPROVAL',
  'WAITING_FOR_INPUT',
  'IN_BACKGROUND',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
] as const;
export type TurnStatus = (typeof turnStatuses)[number];

export const terminalStatuses = ['COMPLETED', 'FAILED', 'CANCELLED'] as const satisfies TurnStatus[];
export type TerminalStatus = (typeof terminalStatuses)[number];

export function isTerminal(status: TurnStatus): status is TerminalStatus {
  return (terminalStatuses as readonly TurnStatus[]).includes(status);
}

/** Whether the turn keeps its conversation busy: it has not ended and is not in the background. */
export function keepsBusy({
  status,
  backgroundAt,
}: {
  status: TurnStatus;
  backgroundAt: Date | null;
}): boolean {
  return !isTerminal(status) && backgroundAt === null;
}

export const finishReasons = [
  'ANSWERED',
  'MAX_STEPS',
  'MAX_SECONDS',
  'MAX_TOKENS',
  'CANCELLED',
  'SUPERSEDED',
  'ERROR',
] as const;
export type FinishReason = (typeof finishReasons)[number];

/** Why a question has no answer. FAILED: also when the turn ended without text. */
export type Unanswered = 'IN_BACKGROUND' | 'CANCELLED' | 'SUPERSEDED' | 'FAILED';

export type SkillCallStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'DENIED' | 'UNKNOWN';

export type TextResetReason = 'RETRIED' | 'PREAMBLE';

export type PlanAction = 'CALL_SKILL' | 'SYNTHESIZE' | 'CONTINUE_IN_BACKGROUND';

/** A planner's decision. `reason` is null when it gave none, or when a budget forced the decision. */
export interface PlanDecision {
  action: PlanAction;
  reason: string | null;
}

/** The kinds of input that a turn may wait for. */
export type PendingInputKind = 'APPROVAL' | 'QUESTION' | 'CLIENT_SKILL' | 'MCP_INPUT';

export type PendingStatus =
  'PENDING' | 'APPROVED' | 'DENIED' | 'EXPIRED' | 'ANSWERED' | 'DECLINED' | 'CANCELLED';

/** Whether the turn waits for people. */
export function isWaiting(status: TurnStatus): status is WaitingStatus {
  return status === 'WAITING_FOR_APPROVAL' || status === 'WAITING_FOR_INPUT';
}
export type WaitingStatus = 'WAITING_FOR_APPROVAL' | 'WAITING_FOR_INPUT';

export type ModelCallPurpose = 'ANSWER' | 'PLAN' | 'SYNTHESIS' | 'SUMMARY' | 'TITLE' | 'MEMORY' | 'ANALYSIS';

/** The preview of a skill's result, for people. */
export const MAX_PREVIEW_CHARACTERS = 300;

/** The upper bound of a turn's counts: GraphQL's Int and the columns of the row hold no more. */
export const MAX_COUNTED = 2 ** 31 - 1;

/** Tokens, calls and money of one turn. `costUsd` is null when no price is known. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  modelCalls: number;
  skillCalls: number;
  costUsd: number | null;
}

export const noUsage: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  modelCalls: 0,
  skillCalls: 0,
  costUsd: null,
};

/** The usage fields alone. */
export function usageOf(counted: Usage): Usage {
  return {
    inputTokens: counted.inputTokens,
    outputTokens: counted.outputTokens,
    cachedInputTokens: counted.cachedInputTokens,
    modelCalls: counted.modelCalls,
    skillCalls: counted.skillCalls,
    costUsd: counted.costUsd,
  };
}

export const turnErrorCodes = [
  'MODEL_UNAVAILABLE',
  'MODEL_REFUSED',
  'CONTEXT_TOO_LARGE',
  'ANSWER_INVALID',
  'RATE_LIMITED',
  'LEASE_LOST',
  'INTERNAL',
] as const;

export interface TurnError {
  code: (typeof turnErrorCodes)[number];
  message: string;
  retryable: boolean;
}

/** The error at its source. The assistant's language provides the words. */
export interface TurnFailure extends Pick<TurnError, 'code' | 'retryable'> {
  /** Details of the code. Absent: unknown. */
  fault?: ModelFault | undefined;
  /** A message for people, if the source has one. */
  message?: string;
}

/** How a turn ended. `text` is the answer as far as it got. */
export interface TurnOutcome {
  status: TerminalStatus;
  finishReason: FinishReason;
  text: string;
  /** The parts of the answer. Null: only text. */
  parts: StoredPart[] | null;
  /** The sources that the markers in the text refer to. */
  citations: Citation[];
  usage: Usage;
  error: TurnFailure | null;
}

/** An input as clients see it. Approvals by earlier versions have no `kind`. */
export type ShownInput = {
  id: string;
  turnId: string;
  status: PendingStatus;
  expiresAt: string;
  /** The id of the skill call. Inputs by earlier versions have it for a CLIENT_SKILL only. */
  callId?: string;
} & (
  | { kind?: 'APPROVAL'; skill: string; arguments: JsonObject; reason: string | null }
  | { kind: 'QUESTION'; prompt: string; responseSchema: JsonObject }
  | { kind: 'CLIENT_SKILL'; callId: string; skill: string; arguments: JsonObject }
  | ({ kind: 'MCP_INPUT' } & Pick<McpRequest, 'server' | 'message' | 'responseSchema' | 'url'>)
);

/** An answer to a turn: a value, or the reason why there is none. */
export type GivenAnswer = { value: JsonValue } | { error: string };

/** A question of an MCP server before it answers a tool call. */
export type McpRequest = {
  /** The server's key. */
  server: string;
  /** Its name for the request, used in the answer. */
  name: string;
  message: string;
  /** Null: no form. */
  responseSchema: JsonObject | null;
  /** A page for the person to open. Null: none. */
  url: string | null;
  /** Data that the server needs back unchanged. */
  state: string | null;
  /** Whether the server waits on an open connection. Otherwise it is called again with the answer. */
  isLive: boolean;
};

/** The events of a turn. This union is the source of truth; the GraphQL types are derived from it. */
export type TurnEventBody =
  | { type: 'status-changed'; status: TurnStatus; detail: string | null }
  | { type: 'text-delta'; text: string }
  | { type: 'reasoning-delta'; text: string }
  | { type: 'text-reset'; cause: TextResetReason }
  | { type: 'plan-decided'; action: PlanAction; nextSkill: string | null; reason: string | null }
  | { type: 'skill-started'; callId: string; skill: string; arguments: JsonObject }
  | {
      type: 'skill-finished';
      callId: string;
      skill: string;
      callStatus: SkillCallStatus;
      resultPreview: string;
      durationMs: number;
    }
  | { type: 'skill-loaded'; skill: string }
  | { type: 'sources-found'; sources: Citation[] }
  | { type: 'approval-requested'; approval: ShownInput }
  | { type: 'input-requested'; input: ShownInput }
  | { type: 'input-resolved'; inputId: string; inputStatus: PendingStatus }
  | { type: 'moved-to-background'; reason: string | null; message: string }
  | {
      type: 'turn-done';
      status: TerminalStatus;
      finishReason: FinishReason;
      messageId: string | null;
      usage: Usage;
      error: TurnError | null;
    };

export type TurnEventType = TurnEventBody['type'];

type EventBody<Type extends TurnEventType> = Extract<TurnEventBody, { type: Type }>;

/** The origin of a skill call, as the model wrote it. The turn's next owner rebuilds the step from it. */
export interface AskedFor {
  /** 0, 1, 2 … within the turn. */
  step: number;
  /** The model's text before the calls. */
  preamble: string;
  modelCallId: string;
  modelArguments: string;
  /** Provider data that the model needs back unchanged with the step, the same for all its calls. */
  echo?: Echo;
}

/** An input that a turn waits for. Only an MCP_INPUT's call has started; events report the others' calls later. */
export interface InputAsked {
  kind: PendingInputKind;
  callId: string;
  skill: string;
  /** As the model wrote them; empty when they are not a JSON object. */
  arguments: JsonObject;
  /** The model's text before the call, shown to people. Null: none. */
  reason: string | null;
  asked: AskedFor;
  /** For an APPROVAL. */
  askerMayApprove: boolean;
  /** The MCP server's question. Null: not an MCP_INPUT. */
  request: McpRequest | null;
  /** The time for an answer. Null: the installation's default. */
  timeoutSeconds: number | null;
}

/** The events, and the data with which a turn is continued: a step's calls and results are its checkpoint. */
export type TurnEntry =
  | Exclude<TurnEventBody, { type: 'skill-started' | 'skill-finished' }>
  | (EventBody<'skill-started'> & { asked: AskedFor; usage: Usage })
  | (EventBody<'skill-finished'> & {
      result: string | null;
      /** The complete result, if the model got less. */
      details?: JsonValue;
    });

/** The public part of an entry. */
export function eventOf(entry: TurnEntry): TurnEventBody {
  if (entry.type === 'skill-started') {
    const { asked: _asked, usage: _usage, ...event } = entry;
    return event;
  }
  if (entry.type === 'skill-finished') {
    const { result: _result, details: _details, ...event } = entry;
    return event;
  }
  return entry;
}

/** The stored fields of an entry besides its type, as JSON. */
export function dataOf(entry: TurnEntry): string {
  const { type: _type, ...data } = eventOf(entry);
  return JSON.stringify(data);
}

/** A stored event: `sequence` runs 1, 2, 3 … within the turn without a gap. */
export type TurnEvent = { turnId: string; sequence: number; at: Date } & TurnEventBody;

export type TextDelta = Extract<TurnEvent, { type: 'text-delta' }>;
