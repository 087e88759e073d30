import type { JsonObject } from '../common/json.js';
import type { Citation } from '../conversations/message.entity.js';

export const turnStatuses = [
  'QUEUED',
  'RUNNING',
  'WAITING_FOR_APPROVAL',
  'IN_BACKGROUND',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
] as const;
export type TurnStatus = (typeof turnStatuses)[number];

export const terminalStatuses = ['COMPLETED', 'FAILED', 'CANCELLED'] as const satisfies TurnStatus[];
export type TerminalStatus = (typeof terminalStatuses)[number];

export const isTerminal = (status: TurnStatus): status is TerminalStatus =>
  (terminalStatuses as readonly TurnStatus[]).includes(status);

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

export const skillCallStatuses = ['RUNNING', 'SUCCEEDED', 'FAILED', 'DENIED', 'UNKNOWN'] as const;
export type SkillCallStatus = (typeof skillCallStatuses)[number];

export const textResetReasons = ['RETRIED', 'PREAMBLE'] as const;
export type TextResetReason = (typeof textResetReasons)[number];

export const planActions = ['CALL_SKILL', 'SYNTHESIZE', 'CONTINUE_IN_BACKGROUND'] as const;
export type PlanAction = (typeof planActions)[number];

export const pendingStatuses = ['PENDING', 'APPROVED', 'DENIED', 'EXPIRED'] as const;
export type PendingStatus = (typeof pendingStatuses)[number];

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

/** Why a turn FAILED. `code` is one of design's turn codes; `message` is shown to people. */
export interface TurnError {
  code: string;
  message: string;
  retryable: boolean;
}

/** A question to a person before a skill is carried out. */
export interface ApprovalRequest {
  id: string;
  turnId: string;
  skill: string;
  arguments: JsonObject;
  reason: string | null;
  status: PendingStatus;
  expiresAt: string;
}

/** What happens in a turn, as data. This union is the truth; the GraphQL types are derived from it. */
export type TurnEventBody =
  | { type: 'status-changed'; status: TurnStatus; detail: string | null }
  | { type: 'text-delta'; text: string }
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
  | { type: 'approval-requested'; approval: ApprovalRequest }
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

/** A stored event: `sequence` runs 1, 2, 3 … within the turn without a gap. */
export type TurnEvent = { turnId: string; sequence: number; at: Date } & TurnEventBody;
