import type { JsonObject } from '../common/json.js';
import { QuotingError } from '../common/process/logger.js';

/** A skill as a model sees it. `parameters` is a JSON Schema of type object. */
export interface ToolSpec {
  name: string;
  description: string;
  parameters: JsonObject;
}

/** A call the model asked for. `arguments` is the text the model wrote: it may be no valid JSON. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/**
 * What a model wants back, to the letter, with a step that it took, whenever it is asked on in the same turn: signatures of
 * its calls, its thoughts. Only the adapter that made it reads it.
 */
export interface Echo {
  /** Whose it is: no other model is given it. */
  model: string;
  data: string;
}

export type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls?: ToolCall[]; echo?: Echo }
  | { role: 'tool'; toolCallId: string; content: string };

/** Takes the text of an answer as it comes. */
export interface TextSink {
  /** False: text has to come as a part, for the reader to wait with it. */
  readonly isReady: boolean;
  take(text: string): void;
}

export interface ChatRequest {
  /** Null: the installation's default model. */
  model: string | null;
  messages: ChatMessage[];
  /** Empty: the model cannot call anything. */
  tools: ToolSpec[];
  /** A name forces that tool, `required` forces any. Left out: `auto`. */
  toolChoice?: 'auto' | 'none' | 'required' | { name: string };
  maxOutputTokens: number;
  /** Whose call it is: where calls have to wait, companies take turns. */
  companyId?: string;
  /** Nobody waits for the answer: where calls have to wait, it stands in no line that somebody waits in. */
  isUpkeep?: boolean;
  /**
   * Given text, instead of the reader, while the reader waits for the next part and the sink is ready: going through a
   * reader costs several promises for each token.
   */
  textSink?: TextSink;
}

/** Tokens of one model call. `source` says who counted. */
export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  /** Those of `outputTokens` that nobody gets to read; left out where the model told of none. */
  reasoningTokens?: number;
  source: 'PROVIDER' | 'ESTIMATED';
}

export type StopReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'unknown';

/** What a model sends, in order. Exactly one `finish`, always last. Tool calls come whole, never in fragments. */
export type ChatPart =
  | { type: 'text'; text: string }
  // What turns out to be the answer after all comes again, as text.
  | { type: 'reasoning'; text: string }
  // All the text before it was reasoning: of some models only the end of that shows.
  | { type: 'retraction' }
  | { type: 'tool-call'; call: ToolCall }
  | { type: 'finish'; reason: StopReason; usage: TokenUsage; model: string | null; echo?: Echo };

/** What the agent needs of a model. The class is both the type and the injection token. */
export abstract class ChatModel {
  /**
   * Streams one completion. Rejects with ModelError; aborting `signal` closes the provider's socket at once
   * and rejects with the signal's reason, or with CallNotMade where the provider had not been asked yet.
   */
  abstract stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatPart>;
}

/** Aborted while it waited: the provider knows nothing of it. `cause` is the signal's reason. */
export class CallNotMade extends Error {
  override readonly name = 'CallNotMade';

  constructor(override readonly cause: unknown) {
    super('The call was aborted before it was made.');
  }
}

export type ModelErrorCode = 'MODEL_UNAVAILABLE' | 'MODEL_REFUSED' | 'CONTEXT_TOO_LARGE';

/** A model call that failed. `detail` keeps the provider's own words, for the log only. */
export class ModelError extends QuotingError {
  override readonly name = 'ModelError';
  /** Of CONTEXT_TOO_LARGE: what the provider said that the model takes; left out where it did not say. */
  readonly windowTokens: number | undefined;
  /** What the provider answered with; left out where it did not come to that. */
  readonly status: number | undefined;

  constructor(
    readonly code: ModelErrorCode,
    message: string,
    readonly retryable: boolean,
    override readonly detail?: string,
    /** What the provider asked for by Retry-After. */
    readonly retryAfterMs?: number,
    options: ErrorOptions & { windowTokens?: number | undefined; status?: number | undefined } = {},
  ) {
    super(message, options);
    this.windowTokens = options.windowTokens;
    this.status = options.status;
  }
}
