import type { ChatMessage, ToolSpec } from '@palabre/llm-client';

import type { ModelCallPurpose } from '../turn-event.js';

/** Purposes of calls made beside their turn. None of these prompts continues the one before. */
export const asidePurposes = [
  'SUMMARY',
  'TITLE',
  'MEMORY',
  'ANALYSIS',
] as const satisfies readonly ModelCallPurpose[];

export type AsidePurpose = (typeof asidePurposes)[number];

export function isAside(purpose: ModelCallPurpose): purpose is AsidePurpose {
  return asidePurposes.some((one) => one === purpose);
}

/** The usage of a model call. `outputTokens` includes reasoning. */
export interface ModelCallUsage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  reasoningTokens: number;
  source: 'PROVIDER' | 'ESTIMATED';
}

/** The usage of a call that the provider refused, or that never reached it. */
export const nothingUsed: ModelCallUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  source: 'ESTIMATED',
};

/** A finished model call, to be stored with the next events of the turn. */
export interface MadeModelCall {
  purpose: ModelCallPurpose;
  model: string;
  /** The provider: the key of a company's own, or INSTALLATION. */
  provider: string;
  /** The whole prompt. */
  messages: readonly ChatMessage[];
  tools: readonly ToolSpec[];
  /** The prompt has a summary of the conversation, and has to be deleted with it. */
  hasSummary: boolean;
  usage: ModelCallUsage;
  /** Null: the model has no price in the table. */
  costUsd: number | null;
  /** The model's stop reason, or an error code. */
  outcome: string;
  durationMs: number;
  /** The time to the first piece of the answer. Absent: none, or not measured. */
  firstPartMs?: number | undefined;
  /** When it was begun. */
  at: Date;
}

/** The payer of a turn's usage. */
export interface Payer {
  memberId: string;
  assistantKey: string;
}

/** The call in stored form: without the messages that it shares with the turn's previous call. */
export interface StoredModelCall extends MadeModelCall, Payer {
  id: string;
  kept: number;
}
