import type { Role } from '../auth/viewer.js';
import type { JsonObject, JsonValue } from '../common/json.js';

/** Where a skill's code runs: whose turn it is, and the signal that ends it. */
export interface SkillContext {
  companyId: string;
  memberId: string;
  /** The member's, as of the question: a skill gives nobody more rights than they have. */
  role: Role;
  conversationId: string;
  turnId: string;
  /** The documents that the turn is restricted to; none: all of the company's. */
  documentIds: readonly string[];
  /** Keys a side effect: the same call is never carried out twice. */
  callId: string;
  /** The assistant's language, BCP 47. */
  language: string;
  /** The assistant's key. */
  assistantKey: string;
  /** Aborted when the turn is cancelled or out of time. */
  signal: AbortSignal;
  /** Tells people how far it is, in one line in `language`: a StatusChanged of the turn, at most 20 a call. */
  progress(detail: string): void;
}

/**
 * A function given to the model: one file, one class, decorated with `@FunctionSkill()`.
 * `run` gets arguments that fit `parameters`; what it throws becomes an error result the model can repair.
 */
export interface Skill {
  /** What the model calls it: lowercase letters, digits and underscores. */
  readonly key: string;
  /** Shown to people. */
  readonly name: string;
  /** Shown to the model and to people: what it does, when to use it, when not. */
  readonly description: string;
  /** JSON Schema (draft 2020-12) of type object. */
  readonly parameters: JsonObject;
  /** May be carried out again after a crash without harm. */
  readonly idempotent: boolean;
  readonly timeoutMs: number;
  /** The keys of the assistants that it was made for; left out: all. Admins may decide otherwise. */
  readonly assistants?: readonly string[];
  /** What the installation lacks for it, in words for people; null, or left out: nothing. No model is offered it then. */
  unavailableReason?(): string | null;
  run(input: JsonObject, context: SkillContext): Promise<JsonValue | SkillAnswer>;
}

/** A result that is compact for the model, and complete for whoever reads it by the API (`SkillCall.details`). */
export class SkillAnswer {
  constructor(
    /** What the model reads; its `summary`, if it has one, is what people are shown. */
    readonly result: JsonValue,
    readonly details: JsonValue,
  ) {}
}

/** A SKILL.md: instructions that a model loads when a question asks for them. */
export interface Pack {
  /** `name`, or `category/name`. */
  readonly key: string;
  /** What people call it: its first heading, or its name. */
  readonly name: string;
  /** The folders that it stands in; null: in none. */
  readonly category: string | null;
  /** Of the front matter: what it is for and when to use it. */
  readonly description: string;
  /**
   * The keys of the assistants that it is for, from `palabre-assistants` in the front matter's metadata, with blanks or
   * commas between them; null: for all.
   */
  readonly assistants: readonly string[] | null;
  /** What is odd about it, in words for its author; it works nevertheless. */
  readonly warnings: readonly string[];
  /** What else belongs to it, relative to its folder, by path: references, assets. */
  readonly files: readonly PackFile[];
  /** Another one as soon as anything of it has changed. */
  readonly version: string;
  /** The instructions, without front matter. */
  readBody(signal: AbortSignal): Promise<string>;
  /** One of `files`. Rejects with SkillError for a path that is none of them. */
  readFile(path: string, signal: AbortSignal): Promise<Buffer>;
}

export interface PackFile {
  path: string;
  bytes: number;
}

/** Thrown by a skill for what the model, or the user behind it, can mend. The message is shown to the model. */
export class SkillError extends Error {
  override readonly name = 'SkillError';
}
