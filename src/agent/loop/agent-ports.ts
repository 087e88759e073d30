import type {
  ChatPart,
  ChatRequest,
  ModelAbilities,
  TextSink,
  Tokenizer,
  ToolSpec,
} from '@palabre/llm-client';
import type { JsonValue } from '@palabre/json';

import type { Clock } from '../../common/clock.js';
import type { ApprovalSetting, GivenInput, Pack, SkillEffect } from '../../skills/skill.js';
import type { ModelCallPurpose } from '../../conversations/turns/turn-event.js';
import type { MadeModelCall } from '../../conversations/turns/model-calls/model-call.js';

/** What became of a skill call, for the model (`result`) and for people (`preview`). */
export interface SkillOutcome {
  status: 'SUCCEEDED' | 'FAILED';
  /** JSON. */
  result: string;
  preview: string;
  /** The whole of it, for people, where the model is given less; at most 1 MB as JSON. */
  details?: JsonValue;
  /** It is as short as it is to be: nothing is cut off it. */
  isSized?: true;
}

/** A call as the model asked for it, under the id that the events tell. */
export interface SkillRequest {
  callId: string;
  key: string;
  /** As the model wrote them: it may be no JSON. */
  arguments: string;
  /** What the server wanted to know of the person when it was called before; left out: nothing. */
  given?: readonly GivenInput[];
}

/** What a call needs of a person instead of being carried out. */
export interface InputOfCall {
  kind: 'QUESTION' | 'CLIENT_SKILL';
  /** Null: as long as the installation gives people. */
  timeoutSeconds: number | null;
}

/** Instructions that a model may load, as far as it is told of them before. */
export interface PackSummary extends Pick<Pack, 'key' | 'name' | 'description' | 'category' | 'version'> {
  /** Whether there is more to them than the instructions: files that are read one by one. */
  hasFiles: boolean;
}

/** Instructions to be put into the prompt. */
export interface LoadedPack {
  /** The SKILL.md, without its front matter. */
  instructions: string;
  /** The paths of its other files, as `readPackFile` takes them. */
  files: readonly string[];
  /** As in the summary. */
  version: string;
}

/** What a model may use at this moment: active, available, and open to whoever asked. */
export interface SkillOffer {
  tools: readonly ToolSpec[];
  packs: readonly PackSummary[];
  /** What the company has switched off: a model is told of it when somebody asks for it by name. */
  off?: readonly { key: string; name: string }[];
  /** When tools are offered, by name; any other one is while all that is offered costs little enough. */
  offered?: ReadonlyMap<string, Offered>;
  /** All that would be offered costs too much: what is not offered ALWAYS has to be searched for. */
  isTooLarge?: boolean;
}

/** ALWAYS: the assistant is made to use the tool. WHEN_FOUND: once it has been searched for. */
export type Offered = 'ALWAYS' | 'WHEN_FOUND';

/** What the loop has to know of a skill before it carries out a call of it. */
export interface SkillFacts {
  /** A call that broke off may be carried out again without harm. */
  isRepeatable: boolean;
  /** What a person is to give in place of carrying it out; null: it is carried out. */
  input: InputOfCall | null;
  /** Who is to be asked before it is carried out; null: it was not offered. */
  approval: ApprovalSetting | null;
  /** What its calls do, also where it is offered no more; null: nothing is known of it. */
  effect: SkillEffect | null;
}

export interface SkillPort {
  /** What the model may use at this moment, in any order: asked before every model call. */
  list(): Promise<SkillOffer>;
  /** Rejects when `signal` is aborted, or the turn is another run's; and with InputNeeded, to be called again. */
  call(request: SkillRequest, signal: AbortSignal, progress: (detail: string) => void): Promise<SkillOutcome>;
  /** Null: none of this key that may be loaded. Rejects with SkillError for what can be mended, and as `call`. */
  loadPack(key: string, signal: AbortSignal): Promise<LoadedPack | null>;
  /** Null as for `loadPack`. Rejects with SkillError for a path that is none or no text, and as `call` does. */
  readPackFile(key: string, path: string, signal: AbortSignal): Promise<string | null>;
  /** As it was last offered, or as code has it. */
  factsOf(key: string): SkillFacts;
  /** Why the skill cannot be called with these arguments, in words for the model; null: for all that is known, it can. */
  faultIn(key: string, argumentsText: string): string | null;
  /** A new id for a call, greater than those before it: the model's own ids may repeat. */
  newCallId(): string;
}

/** One try of a model call, also one that failed; its usage is estimated when it broke off. */
export interface ModelCallRecord extends Omit<MadeModelCall, 'provider' | 'costUsd' | 'hasSummary'> {
  /** How many of the oldest messages of the history the run's prompts had no room for, so far. */
  historyDropped: number;
  /** What went wrong, for the log; left out when nothing did, or somebody stopped the call. */
  failure?: unknown;
}

/** What it is for goes to no provider. */
export type NamedRequest = ChatRequest & { model: string; purpose?: ModelCallPurpose };

export interface UsableModel extends ModelAbilities {
  /** Its provider was seen to take the beginning of a prompt from the one before, and so its tools. */
  caches: boolean;
}

/** The models a turn may use. */
export interface ModelPort {
  /** In the order in which they are tried: the assistant's or the installation's, then the fallback. At least one. */
  readonly candidates: readonly string[];
  abilitiesOf(model: string): UsableModel;
  /** Rejects with ModelError. Another error before the first part means that no call was made, unless aborted. */
  stream(request: NamedRequest, signal: AbortSignal): AsyncIterable<ChatPart>;
  /** Told of every call that was made. Must not throw. */
  record(call: ModelCallRecord): void;
}

/** Counts as models do, near enough. */
export type TokenCounter = Pick<Tokenizer, 'count' | 'cut'>;

export interface MemoryPort {
  /** Begins to look for what is to be read next, so that nobody has to wait for it then. */
  prepare(signal: AbortSignal): void;
  /**
   * What the model is told of it, as of now or of `prepare`, as it stands in the prompt; empty: nothing. The same to the
   * byte while nothing has changed: asked before every model call. Rejects when the run is aborted, and for nothing else.
   */
  read(signal: AbortSignal): Promise<string>;
}

export interface AgentPorts {
  models: ModelPort;
  skills: SkillPort;
  memory: MemoryPort;
  /** Where the text of an answer goes once it has begun. Its beginning, and all other entries, the loop yields. */
  text: TextSink;
  tokens: TokenCounter;
  clock: Clock;
}
