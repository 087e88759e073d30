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
  /** Keys a side effect: the same call is never carried out twice. */
  callId: string;
  /** The assistant's language, BCP 47. */
  language: string;
  /** Aborted when the turn is cancelled or out of time. */
  signal: AbortSignal;
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
  /** What the installation lacks for it, in words for people; null, or left out: nothing. No model is offered it then. */
  unavailableReason?(): string | null;
  run(input: JsonObject, context: SkillContext): Promise<JsonValue>;
}

/** Thrown by a skill for what the model, or the user behind it, can mend. The message is shown to the model. */
export class SkillError extends Error {
  override readonly name = 'SkillError';
}
