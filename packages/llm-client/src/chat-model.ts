import type { JsonObject } from '@palabre/json';

/** A skill as a model sees it. `parameters` is a JSON Schema of type object. */
export interface ToolSpec {
  name: string;
  description: string;
  parameters: JsonObject;
}

/** A tool with these properties as its only arguments. All but `optional` are required. */
export function functionTool(
  name: string,
  description: string,
  required: JsonObject,
  optional: JsonObject = {},
): ToolSpec {
  return { name, description, parameters: objectSchema(required, optional) };
}

export function objectSchema(required: JsonObject, optional: JsonObject = {}): JsonObject {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

/** A call the model asked for. `arguments` is the text that the model wrote; it may be invalid JSON. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/**
 * Data that a model needs back unchanged with its earlier steps of the turn: signatures of calls, reasoning. Only its
 * adapter reads it.
 */
export interface Echo {
  /** The model that made it. No other model gets it. */
  model: string;
  data: string;
}

/**
 * A file sent with a user's message. Stored prompts name it instead. Marks separate a text from the user's own words.
 * `data` is base64.
 */
export type ChatFile = { type: 'text'; text: string } | { type: 'image'; mediaType: string; data: string };

/** The tokens of an image: about what Anthropic counts for our largest size, and OpenAI's maximum. */
export const IMAGE_TOKENS = 1_600;

export type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string; files?: readonly ChatFile[] }
  | { role: 'assistant'; content: string; toolCalls?: ToolCall[]; echo?: Echo }
  | { role: 'tool'; toolCallId: string; content: string };

/** Takes the text of an answer as it arrives. */
export interface TextSink {
  /** False: text must come as a part, so that the reader can wait. */
  readonly isReady: boolean;
  take(text: string): void;
}

/** How much a model thinks before it answers, ascending. No model supports all. */
export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type ReasoningEffort = (typeof reasoningEfforts)[number];

/**
 * The greatest supported effort that is not above the wanted one, else the least. Null: unknown, so the wanted one is
 * tried. Undefined: the effort cannot be set.
 */
export function nearestEffort(
  wanted: ReasoningEffort,
  known: readonly ReasoningEffort[] | null,
): ReasoningEffort | undefined {
  if (known === null) return wanted;
  const most = reasoningEfforts.indexOf(wanted);
  return known.findLast((effort) => reasoningEfforts.indexOf(effort) <= most) ?? known[0];
}

export interface ChatRequest {
  /** Null: the installation's default model. */
  model: string | null;
  messages: ChatMessage[];
  /** Empty: the model cannot call a tool. */
  tools: ToolSpec[];
  /** A name forces that tool, `required` forces any. Left out: `auto`. */
  toolChoice?: 'auto' | 'none' | 'required' | { name: string };
  maxOutputTokens: number;
  /** A JSON Schema of type object for the answer, where the model can be held to one. Default: free text. */
  answerSchema?: JsonObject;
  /** Default: the model's own effort. */
  reasoningEffort?: ReasoningEffort;
  /** The same for prompts with the same beginning, such as those of a conversation, so that providers cache them. */
  cacheKey?: string;
  /** The company that calls. When calls have to wait, companies take turns. */
  companyId?: string;
  /** Nobody waits for the answer. Such calls queue separately from those that people wait for. */
  isUpkeep?: boolean;
  /**
   * Receives text instead of the reader, while the reader waits for the next part and the sink is ready. A reader
   * costs several promises for each token.
   */
  textSink?: TextSink;
}

/** Tokens of one model call. `source` says who counted. */
export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  /** The part of `outputTokens` that is reasoning; left out when the model reported none. */
  reasoningTokens?: number;
  source: 'PROVIDER' | 'ESTIMATED';
}

export type StopReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'unknown';

/** What a model sends, in order. Exactly one `finish`, always last. Tool calls come whole, never in fragments. */
export type ChatPart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  // All reasoning before this part was the answer: it is sent again, as text.
  | { type: 'no-reasoning' }
  // All text before this part was reasoning. Some models only mark where their reasoning ends.
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

/** The call was aborted while it waited, before the provider was asked. `cause` is the signal's reason. */
export class CallNotMade extends Error {
  override readonly name = 'CallNotMade';

  constructor(override readonly cause: unknown) {
    super('The call was aborted before it was made.');
  }
}

export type ModelErrorCode = 'MODEL_UNAVAILABLE' | 'MODEL_REFUSED' | 'CONTEXT_TOO_LARGE';

/**
 * The cause of a MODEL_UNAVAILABLE, if known: the key, the model's name, the account's credit, the address, or other
 * requests.
 */
export type ModelFault = 'KEY' | 'MODEL' | 'CREDIT' | 'ADDRESS' | 'BUSY';

interface ModelErrorOptions extends ErrorOptions {
  fault?: ModelFault | undefined;
  windowTokens?: number | undefined;
  status?: number | undefined;
  wasNotAsked?: boolean;
}

/** A model call that failed. `detail` keeps the provider's own words, without secrets. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  /** For CONTEXT_TOO_LARGE: the context window that the provider stated, if any. */
  readonly windowTokens: number | undefined;
  readonly fault: ModelFault | undefined;
  /** The HTTP status, if there was an answer. */
  readonly status: number | undefined;
  /** The circuit breaker refused the call; the provider was not asked. */
  readonly wasNotAsked: boolean;

  constructor(
    readonly code: ModelErrorCode,
    message: string,
    readonly retryable: boolean,
    readonly detail?: string,
    /** The pause that the provider asked for, such as by Retry-After. */
    readonly retryAfterMs?: number,
    options: ModelErrorOptions = {},
  ) {
    super(message, options);
    this.fault = options.fault;
    this.windowTokens = options.windowTokens;
    this.status = options.status;
    this.wasNotAsked = options.wasNotAsked ?? false;
  }

  /** The part of the error that a log may quote. */
  get logDetail(): string | undefined {
    return this.detail;
  }
}
