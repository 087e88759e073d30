import type { Clock } from '../../common/clock.js';
import type { JsonObject } from '../../common/json.js';
import type { ChatPart, ChatRequest, ToolSpec } from '../../llm/chat-model.js';
import type { MadeModelCall } from '../../turns/model-calls/model-call.js';

/** What became of a skill call, for the model (`result`) and for people (`preview`). */
export interface SkillOutcome {
  status: 'SUCCEEDED' | 'FAILED';
  result: string;
  preview: string;
}

/** What the loop needs of the skills. */
export interface SkillPort {
  /** What the model may call at this moment: asked before every model call. */
  list(): Promise<ToolSpec[]>;
  /**
   * Carries out one call. What may not be done twice is not begun before it is stored that it was asked for. Rejects
   * when `signal` is aborted, or the turn is no longer this run's.
   */
  call(call: { callId: string; key: string; arguments: string }, signal: AbortSignal): Promise<SkillOutcome>;
  /** Whether a call that broke off may be carried out again without harm. */
  isRepeatable(key: string): boolean;
  /** How a call is to be put to a person before it is carried out; null: it need not be. Asked when the model asks. */
  approvalFor(key: string): { askerMayApprove: boolean } | null;
  /** The arguments a model wrote as a JSON object, to be shown; empty when they are none. */
  read(argumentsText: string): JsonObject;
  /** A new id for a call, greater than those before it: the model's own ids may repeat. */
  newCallId(): string;
}

/** One try of a model call, also one that failed; its usage is estimated when it broke off. */
export interface ModelCallRecord extends Omit<MadeModelCall, 'costUsd' | 'hasSummary'> {
  /** How many of the oldest messages of the history the run's prompts had no room for, so far. */
  historyDropped: number;
  /** What went wrong, for the log; left out when nothing did, or somebody stopped the call. */
  failure?: unknown;
}

/** The models a turn may use. */
export interface ModelPort {
  /** In the order in which they are tried: the assistant's or the installation's, then the fallback. At least one. */
  readonly candidates: readonly string[];
  /** Tokens of prompt and answer together. */
  windowOf(model: string): number;
  /**
   * Streams one completion. Rejects with ModelError. Any other error ends the turn: one before the first part means that
   * no call was made, unless it was aborted, of which only CallNotMade tells so.
   */
  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatPart>;
  /** Told of every call that was made. Must not throw. */
  record(call: ModelCallRecord): void;
}

/** Counts as models do, near enough. */
export interface TokenCounter {
  count(text: string): number;
  /** The beginning of the text, at most `maxTokens` long, never ending in half a character. */
  cut(text: string, maxTokens: number): string;
}

/** A passage of a document that may answer the question. `score` is 0 to 1. */
export interface Source {
  documentId: string;
  documentName: string;
  page: number | null;
  text: string;
  score: number;
}

/** What the loop needs of the company's documents. */
export interface RetrievalPort {
  /** Whether there is anything to be searched. */
  hasDocuments(signal: AbortSignal): Promise<boolean>;
  /** The best first. */
  retrieve(query: string, signal: AbortSignal): Promise<Source[]>;
}

export interface AgentPorts {
  models: ModelPort;
  skills: SkillPort;
  tokens: TokenCounter;
  retrieval: RetrievalPort;
  clock: Clock;
}
