/** The interface between the server and packages of skills and assistants. The server's own skills use it too. */
import type { JsonObject, JsonValue } from '@palabre/json';
import { z } from 'zod';

export type { JsonObject, JsonValue } from '@palabre/json';

/** A package exports it under the name `plugin`. The server checks it at start. */
export interface Plugin {
  /** The package's name, for messages. */
  readonly name: string;
  /** Called once, at start. Skills keep `platform` and use it in each call. */
  skills?(platform: Platform): readonly Skill[];
  readonly assistants?: readonly AssistantDefinition[];
  /** Kinds of results that the skills keep: see Records. */
  readonly records?: readonly RecordKind[];
  readonly indicators?: DocumentIndicators;
}

/** The server's services for skills. Each call acts for the company and member of the given `SkillContext`. */
export interface Platform {
  readonly records: Records;
  company(context: SkillContext): Promise<CompanyProfile>;
  /**
   * Stores all files or none. They belong to the asking member, who finds them beside the answer (`Turn.files`), and can
   * download and delete them.
   */
  storeFiles(context: SkillContext, files: readonly NewFile[]): Promise<void>;
  now(): Date;
  /** The local time of a moment in the installation's time zone, as the Date's UTC fields. */
  shown(moment: Date): Date;
}

/** Results of one kind that a package's skills keep. Its members read them by the API under `skillRecords`. */
export interface RecordKind {
  /** Lowercase letters, digits and underscores; no other package has one of this name. */
  readonly kind: string;
  /** What the results are, and the meaning of their fields, for readers. */
  readonly description: string;
  /** JSON Schema (draft 2020-12) of type object for the content. */
  readonly schema: JsonObject;
}

/**
 * Results that belong to the company. The skills of all members read them, in any conversation. A subject of a kind,
 * such as a year, has versions, which never change. The last hundred are kept.
 */
export interface Records {
  /** The newest version of a subject; without one, of the last changed. Null: none. */
  find(context: SkillContext, kind: string, subject?: string): Promise<KeptRecord | null>;
  /**
   * Adds the version that `make` returns for the newest one, or for null if there is none. `make` may be called again
   * if another version is added meanwhile. An unchanged result, or a repeated call, adds nothing. Rejects with
   * SkillError if the content is larger than 256 KiB or the kind has a thousand subjects.
   */
  update(
    context: SkillContext,
    kind: string,
    subject: string,
    make: (before: KeptRecord | null) => NewRecord,
  ): Promise<RecordUpdate>;
}

export interface NewRecord {
  /** A summary in one line, for people. */
  readonly title: string;
  readonly content: JsonObject;
  /** Sources, a hundred at most. */
  readonly sources: readonly RecordSource[];
}

export interface RecordSource {
  readonly title: string;
  readonly url: string | null;
}

export interface KeptRecord extends NewRecord {
  readonly subject: string;
  /** From 1. */
  readonly version: number;
  readonly at: Date;
  /** The author. Null: the member is gone. */
  readonly memberName: string | null;
  readonly conversationId: string;
}

export interface RecordUpdate {
  /** The newest version before this call. */
  readonly before: KeptRecord | null;
  /** The newest version now. It is the same if nothing changed. */
  readonly record: KeptRecord;
}

/** The profile of a company. Null and empty mean unknown. */
export interface CompanyProfile {
  readonly name: string;
  readonly sector: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly city: string | null;
  readonly headcount: number | null;
  /** Per year. */
  readonly revenueAmount: number | null;
  /** ISO 4217; null if and only if there is no amount. */
  readonly revenueCurrency: string | null;
  readonly environmentalPractices: readonly string[];
  readonly declaredGoals: readonly string[];
  readonly attributes: JsonObject;
  /** BCP 47. */
  readonly language: string;
}

export interface NewFile {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
}

/**
 * A function that the model can call. `run` gets arguments that fit `parameters`. An exception becomes an error result
 * for the model.
 */
export interface Skill {
  /** The model's name for it: lowercase letters, digits and underscores. */
  readonly key: string;
  /** Shown to people, in English. */
  readonly name: string;
  /** In other languages, by the language subtag of a BCP 47 tag, such as `fr` or `zh`. */
  readonly names?: Readonly<Record<string, string>>;
  /** For the model, and for people where `descriptions` has nothing: what it does, when to use it, when not. */
  readonly description: string;
  /** For people: what it does, in a sentence, by the language subtag of a BCP 47 tag; `en` stands in for the others. */
  readonly descriptions?: Readonly<Record<string, string>>;
  /** JSON Schema (draft 2020-12) of type object. */
  readonly parameters: JsonObject;
  /** May safely be repeated after a crash. */
  readonly idempotent: boolean;
  readonly timeoutMs: number;
  readonly effect: SkillEffect;
  /** The keys of the assistants that offer it by default. Default: all. Admins may change it. */
  readonly assistants?: readonly string[];
  /**
   * The missing configuration, for people who read `language`, BCP 47; null or left out: nothing is missing. An
   * unavailable skill is not offered.
   */
  unavailableReason?(language: string): string | null;
  run(input: JsonObject, context: SkillContext): Promise<JsonValue | SkillAnswer>;
}

/** The turn in which a skill is called. */
export interface SkillContext {
  companyId: string;
  memberId: string;
  /** The member's role when they asked. A skill gives nobody more rights. */
  role: 'MEMBER' | 'ADMIN' | 'OPERATOR';
  conversationId: string;
  turnId: string;
  /** The message that the turn answers. */
  questionId: string;
  /** The documents that the turn is restricted to; empty: all of the company's. */
  documentIds: readonly string[];
  /** An idempotency key: the same call is never executed twice. */
  callId: string;
  /** The assistant's language, BCP 47. */
  language: string;
  assistantKey: string;
  /** Aborted when the turn is cancelled or out of time. */
  signal: AbortSignal;
  /** Reports progress as one line in `language`, at most 20 times per call. It becomes a StatusChanged of the turn. */
  progress(detail: string): void;
}

/** The effects of a call, which decide whether a person is asked for approval. */
export interface SkillEffect {
  /** HERE: data of this product. ELSEWHERE: another system, also if that is unknown. */
  readonly changes: 'NOTHING' | 'HERE' | 'ELSEWHERE';
  /** Its results may contain text by others: pages, documents, answers of other systems. */
  readonly isForeign: boolean;
  /** The argument with the address that is called, if the model chooses it. */
  readonly addressArgument?: string;
  /** The addresses that a result was fetched from, not those that it mentions. */
  addressesIn?(result: JsonValue): readonly string[];
}

/** Reads this product's own data. */
export const readsOwn: SkillEffect = { changes: 'NOTHING', isForeign: false };
/** Reads text by others. */
export const readsForeign: SkillEffect = { changes: 'NOTHING', isForeign: true };
/** Changes this product's own data. */
export const changesHere: SkillEffect = { changes: 'HERE', isForeign: false };
/** May change another system, and returns its answer. */
export const changesElsewhere: SkillEffect = { changes: 'ELSEWHERE', isForeign: true };

/** A compact result for the model, with complete details for API clients (`SkillCall.details`). */
export class SkillAnswer {
  constructor(
    /** For the model. People are shown its `summary`, if there is one. */
    readonly result: JsonValue,
    readonly details: JsonValue,
  ) {}
}

/**
 * An error that the model or the user can correct. The message is shown to the model, and its beginning to people: in the
 * assistant's language.
 */
export class SkillError extends Error {
  override readonly name: string = 'SkillError';
}

/** An error in what the model wrote as arguments. The message is for the model alone, in English. */
export class ArgumentsError extends SkillError {
  override readonly name = 'ArgumentsError';
}

/** The arguments of a skill as JSON Schema. Descriptions in `input` are for the model. */
export function parametersOf(input: z.ZodType): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return schema as JsonObject;
}

/** The arguments, checked. Throws ArgumentsError. */
export function readInput<Input extends z.ZodType>(input: Input, given: JsonObject): z.output<Input> {
  const { success, data, error } = input.safeParse(given);
  if (success) return data;
  throw new ArgumentsError(`The arguments do not fit:\n${z.prettifyError(error)}`);
}

/** A shipped assistant. Companies use its prompt until an admin publishes another one. */
export interface AssistantDefinition {
  readonly key: string;
  readonly name: string;
  /** BCP 47. */
  readonly language: string;
  /**
   * How a turn runs. REACTIVE: one streaming loop with skills on demand. PLANNED: a planner decides each step.
   * GROUNDED: documents are searched first, and the answer cites them.
   */
  readonly strategy: 'REACTIVE' | 'PLANNED' | 'GROUNDED';
  readonly budget: Budget;
  /** Whether it recalls earlier messages and extracts memories; left out: neither. */
  readonly remembers?: { readonly recallsConversations: boolean; readonly extractsMemories: boolean };
  /**
   * The keys of function skills that are offered in every call; left out: all. The assistant finds others by
   * search_skills, since every offered skill costs tokens.
   */
  readonly skills?: readonly string[];
  /**
   * The prompt, with each of `{date} {name} {language} {profile} {initial_context_title} {initial_context_description}
   * {skill}`.
   */
  readonly template: string;
  /** An example question for the server's greeting. */
  readonly example?: string;
}

/** The limits of one turn. */
export interface Budget {
  maxSteps: number;
  maxSeconds: number;
  /** Per model call. */
  maxOutputTokens: number;
}

/** Aspects for which documents can be analysed, besides a summary and figures. */
export interface DocumentIndicators {
  /** The key in arguments and results of `analyze_document`: lowercase letters, digits and underscores. */
  readonly focus: string;
  /** Its name for people and models, in any language, such as an abbreviation. */
  readonly name: string;
  /** The keys of the assistants whose analyses have this focus by default. */
  readonly assistants: readonly string[];
  /** `language`: BCP 47. */
  inLanguage(language: string): readonly Indicator[];
}

/** Something for which a document may give evidence. */
export interface Indicator {
  readonly code: string;
  readonly label: string;
  readonly question: string;
  /** Its weight within its pillar. Missing indicators are listed by pillar, the heaviest first. */
  readonly weight: number;
  readonly pillar: string;
}
