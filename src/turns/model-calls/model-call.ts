import type { ChatMessage, ToolSpec } from '../../llm/chat-model.js';
import type { ModelCallPurpose } from '../turn-event.js';

/** What calls are for that are made beside their turn: none of them goes on from the one before. */
export const asidePurposes = [
  'SUMMARY',
  'TITLE',
  'MEMORY',
  'ANALYSIS',
] as const satisfies readonly ModelCallPurpose[];

export type AsidePurpose = (typeof asidePurposes)[number];

export const isAside = (purpose: ModelCallPurpose): purpose is AsidePurpose =>
  asidePurposes.some((one) => one === purpose);

/** What a model call used up. `outputTokens` are with those of reasoning. */
export interface ModelCallUsage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  reasoningTokens: number;
  source: 'PROVIDER' | 'ESTIMATED';
}

/** Of a call that its provider refused, or that never reached it. */
export const nothingUsed: ModelCallUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  source: 'ESTIMATED',
};

/** A model call as whoever made it tells of it, to be stored with the next events of the turn. */
export interface MadeModelCall {
  purpose: ModelCallPurpose;
  model: string;
  /** The whole prompt. */
  messages: readonly ChatMessage[];
  tools: readonly ToolSpec[];
  /** The prompt begins with what was said in the conversation, and has to go with it. */
  hasSummary: boolean;
  usage: ModelCallUsage;
  /** Null: the model has no price in the table. */
  costUsd: number | null;
  /** The model's reason to stop, or the code of what went wrong. */
  outcome: string;
  durationMs: number;
  /** When it was begun. */
  at: Date;
}

/** Whom the calls of a turn are counted for. */
export interface Payer {
  memberId: string;
  assistantKey: string;
}

/** The same as it is stored: without what it shares with the turn's call before. */
export interface StoredModelCall extends MadeModelCall, Payer {
  id: string;
  kept: number;
}
