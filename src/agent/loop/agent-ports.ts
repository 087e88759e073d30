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

/** The outcome of a skill call, for the model (`result`) and for people (`preview`). */
export interface SkillOutcome {
  status: 'SUCCEEDED' | 'FAILED';
  /** JSON. */
  result: string;
  preview: string;
  /** The complete outcome for people, if the model gets less. At most 1 MB as JSON. */
  details?: JsonValue;
  /** The result has its final size and is not cut. */
  isSized?: true;
}

/** A model's call, with the id that events use. */
export interface SkillRequest {
  callId: string;
  key: string;
  /** As written by the model. May be invalid JSON. */
  arguments: string;
  /** Answers to the server's earlier questions. Default: none. */
  given?: readonly GivenInput[];
}

/** What a call needs from a person in place of running. */
export interface InputOfCall {
  kind: 'QUESTION' | 'CLIENT_SKILL';
  /** Null: the installation's default. */
  timeoutSeconds: number | null;
}

/** Loadable instructions, as announced to the model. */
export interface PackSummary extends Pick<Pack, 'key' | 'name' | 'description' | 'category' | 'version'> {
  /** Whether the pack has files besides its instructions. */
  hasFiles: boolean;
}

/** Instructions for the prompt. */
export interface LoadedPack {
  /** The SKILL.md, without its front matter. */
  instructions: string;
  /** The paths of its other files, for `readPackFile`. */
  files: readonly string[];
  /** The summary's version. */
  version: string;
}

/** The skills that a model may use now: active, available, and allowed for the asking member. */
export interface SkillOffer {
  tools: readonly ToolSpec[];
  packs: readonly PackSummary[];
  /** Skills that the company switched off. The model hears of one only when somebody names it. */
  off?: readonly { key: string; name: string }[];
  /** When each tool is offered, by name. Others are offered if all together cost little enough. */
  offered?: ReadonlyMap<string, Offered>;
  /** Everything together costs too much, so only ALWAYS tools are offered without a search. */
  isTooLarge?: boolean;
}

/** ALWAYS: the assistant is made to use the tool. WHEN_FOUND: after a search found it. */
export type Offered = 'ALWAYS' | 'WHEN_FOUND';

/** What the loop must know of a skill before a call. */
export interface SkillFacts {
  /** An interrupted call may safely be repeated. */
  isRepeatable: boolean;
  /** What a person has to give in place of the call. Null: the call runs. */
  input: InputOfCall | null;
  /** Who must approve the call. Null: the skill was not offered. */
  approval: ApprovalSetting | null;
  /** The effect of its calls, even if it is no longer offered. Null: unknown. */
  effect: SkillEffect | null;
}

export interface SkillPort {
  /** The usable skills, in any order. Asked before every model call. */
  list(): Promise<SkillOffer>;
  /** Rejects on abort, if another run has the turn, and with InputNeeded, after which it is called again. */
  call(request: SkillRequest, signal: AbortSignal, progress: (detail: string) => void): Promise<SkillOutcome>;
  /** Null: no loadable pack of this key. Rejects with SkillError for correctable errors, and like `call`. */
  loadPack(key: string, signal: AbortSignal): Promise<LoadedPack | null>;
  /** Null as for `loadPack`. Rejects with SkillError for an unknown path or a non-text file, and like `call`. */
  readPackFile(key: string, path: string, signal: AbortSignal): Promise<string | null>;
  /** The facts of the last offer, or of the code. */
  factsOf(key: string): SkillFacts;
  /** Why the skill cannot be called with these arguments, for the model. Null: no known reason. */
  faultIn(key: string, argumentsText: string): string | null;
  /** A new call id, greater than earlier ones. The model's own ids may repeat. */
  newCallId(): string;
}

/** One attempt of a model call, even a failed one. The usage of an interrupted one is an estimate. */
export interface ModelCallRecord extends Omit<MadeModelCall, 'provider' | 'costUsd' | 'hasSummary'> {
  /** The number of the oldest messages that the run's prompts had to leave out so far. */
  historyDropped: number;
  /** The error for the log. Absent after success and after an abort. */
  failure?: unknown;
}

/** The purpose is not sent to providers. */
export type NamedRequest = ChatRequest & { model: string; purpose?: ModelCallPurpose };

export interface UsableModel extends ModelAbilities {
  /** The provider is known to cache the beginning of prompts, which has the tools. */
  caches: boolean;
}

/** The models a turn may use. */
export interface ModelPort {
  /** In the order of attempts: the assistant's or the installation's model, then the fallback. At least one. */
  readonly candidates: readonly string[];
  abilitiesOf(model: string): UsableModel;
  /** Rejects with ModelError. Another error before the first part means that no call was made, unless aborted. */
  stream(request: NamedRequest, signal: AbortSignal): AsyncIterable<ChatPart>;
  /** Records each call. Must not throw. */
  record(call: ModelCallRecord): void;
}

/** The one thread, shared by the turns of all companies. */
export interface ThreadPort {
  /**
   * Runs work on `characters` characters when it is the company's turn. Rejects with the signal's reason if it is
   * aborted first. Null: no signal.
   */
  inTurn<Result>(characters: number, work: () => Result, signal: AbortSignal | null): Promise<Result>;
}

/** A sufficiently exact token counter. */
export type TokenCounter = Pick<Tokenizer, 'count' | 'cut'>;

export interface MemoryPort {
  /** Starts the lookup for the next `read`, so that nobody waits for it then. */
  prepare(signal: AbortSignal): void;
  /**
   * The memory text of the prompt, as of now or of `prepare`. Empty: nothing. Byte-identical while nothing changes,
   * because it is read before every model call. Rejects only when the run is aborted.
   */
  read(signal: AbortSignal): Promise<string>;
}

export interface AgentPorts {
  models: ModelPort;
  skills: SkillPort;
  memory: MemoryPort;
  /** Receives the text of a started answer. The loop yields its beginning and all other entries. */
  text: TextSink;
  tokens: TokenCounter;
  thread: ThreadPort;
  clock: Clock;
}
