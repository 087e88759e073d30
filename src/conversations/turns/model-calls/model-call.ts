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

/** What a model call used up. `outputTokens` includes reasoning. */
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
  /** Who was asked: the key of a company's provider, or INSTALLATION. */
  provider: string;
  /** The whole prompt. */
  messages: readonly ChatMessage[];
  tools: readonly ToolSpec[];
  /** The prompt begins with a summary of the conversation, and has to be deleted with it. */
  hasSummary: boolean;
  usage: ModelCallUsage;
  /** Null: the model has no price in the table. */
  costUsd: number | null;
  /** The model's reason to stop, or the code of what went wrong. */
  outcome: string;
  durationMs: number;
  /** From its beginning to the first piece of the answer; left out: there was none, or nobody has looked. */
  firstPartMs?: number | undefined;
  /** When it was begun. */
  at: Date;
}

/** Whom the turn's usage is counted for. */
export interface Payer {
  memberId: string;
  assistantKey: string;
}

/** The call as it is stored: without the messages that it shares with the turn's call before. */
export interface StoredModelCall extends MadeModelCall, Payer {
  id: string;
  kept: number;
}
