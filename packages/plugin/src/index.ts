/**
 * What a package of skills and assistants is written against, and what the server that loads it is. One definition for
 * both: the server's own skills are the same kind of thing.
 */

/** A value that survives JSON.stringify and JSON.parse unchanged. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object: what the model's arguments, a skill's result and free attributes are made of. */
export type JsonObject = { [key: string]: JsonValue };

/** What a package exports under the name `plugin`. All that it brings is checked when the server starts. */
export interface Plugin {
  /** Named in messages about it: the package's name. */
  readonly name: string;
  /** Called once, at start. Skills keep `platform` and ask it at each call. */
  skills?(platform: Platform): readonly Skill[];
  readonly assistants?: readonly AssistantDefinition[];
  /** What its skills keep: see Records. */
  readonly records?: readonly RecordKind[];
  readonly indicators?: DocumentIndicators;
}

/** What the server does for a skill. Each call is for the company and member of the `SkillContext` that it is given. */
export interface Platform {
  readonly records: Records;
  company(context: SkillContext): Promise<CompanyProfile>;
  /**
   * Stores all files or none. They are the asking member's, who finds them beside the answer (`Turn.files`), and can
   * download and delete them.
   */
  storeFiles(context: SkillContext, files: readonly NewFile[]): Promise<void>;
  now(): Date;
  /** A moment as a clock in the installation's time zone shows it: read the Date's UTC fields. */
  shown(moment: Date): Date;
}

/** Results of one kind that a package's skills keep. Its members read them by the API under `skillRecords`. */
export interface RecordKind {
  /** Lowercase letters, digits and underscores; no other package has one of this name. */
  readonly kind: string;
  /** What it is, and what stands where in its content: for whoever reads it. */
  readonly description: string;
  /** JSON Schema (draft 2020-12) of type object, which all content has to fit. */
  readonly schema: JsonObject;
}

/**
 * Results that belong to the company: all its members' skills read them, in any conversation. A subject of a kind, such
 * as a year, has versions, which are never changed; the last hundred are kept.
 */
export interface Records {
  /** The newest version of a subject; left out: of the one that was changed last. Null: there is none. */
  find(context: SkillContext, kind: string, subject?: string): Promise<KeptRecord | null>;
  /**
   * Adds the version that `make` makes of the newest, or of null where there is none. It may be called again, where
   * somebody else adds one meanwhile. What is as it was, and what a repeated call has added already, adds none. Rejects
   * with SkillError where the content is larger than 256 KiB, or the kind has a thousand subjects.
   */
  update(
    context: SkillContext,
    kind: string,
    subject: string,
    make: (before: KeptRecord | null) => NewRecord,
  ): Promise<RecordUpdate>;
}

export interface NewRecord {
  /** One line for people: what it says. */
  readonly title: string;
  readonly content: JsonObject;
  /** What it rests on, a hundred at most. */
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
  /** Who had it made; null: they are gone. */
  readonly memberName: string | null;
  readonly conversationId: string;
}

export interface RecordUpdate {
  /** The newest version of before this call. */
  readonly before: KeptRecord | null;
  /** The newest now; the same version where nothing has changed. */
  readonly record: KeptRecord;
}

/** What is known of a company; null and empty: not known. */
export interface CompanyProfile {
  readonly name: string;
  readonly sector: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly city: string | null;
  readonly headcount: number | null;
  /** Of one year. */
  readonly revenueAmount: number | null;
  /** ISO 4217; null exactly when there is no amount. */
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
 * A function given to the model. `run` gets arguments that fit `parameters`; what it throws becomes an error result that
 * the model can repair.
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
  readonly effect: SkillEffect;
  /** The keys of the assistants that it was made for; left out: all. Admins may decide otherwise. */
  readonly assistants?: readonly string[];
  /** What the installation lacks for it, in words for people; null, or left out: nothing. No model is offered it then. */
  unavailableReason?(): string | null;
  run(input: JsonObject, context: SkillContext): Promise<JsonValue | SkillAnswer>;
}

/** Where a skill's code runs: whose turn it is, and the signal that ends it. */
export interface SkillContext {
  companyId: string;
  memberId: string;
  /** The member's, as of the question: a skill gives nobody more rights than they have. */
  role: 'MEMBER' | 'ADMIN' | 'OPERATOR';
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

/** What a call does, as far as it bears on whether a person has to be asked first. */
export interface SkillEffect {
  /** HERE: something that this product keeps. ELSEWHERE: something in another system, also where nobody can tell. */
  readonly changes: 'NOTHING' | 'HERE' | 'ELSEWHERE';
  /** Its results may hold what strangers wrote: pages, documents, what other systems say. */
  readonly isForeign: boolean;
  /** The argument with the address that it calls, where the model writes that. */
  readonly addressArgument?: string;
  /** The addresses that a result was asked for, and not merely mentions. */
  addressesIn?(result: JsonValue): readonly string[];
}

/** It tells what this product keeps itself. */
export const readsOwn: SkillEffect = { changes: 'NOTHING', isForeign: false };
/** It tells what others wrote. */
export const readsForeign: SkillEffect = { changes: 'NOTHING', isForeign: true };
/** It changes what this product keeps. */
export const changesHere: SkillEffect = { changes: 'HERE', isForeign: false };
/** It may change something in another system, and tells what that says. */
export const changesElsewhere: SkillEffect = { changes: 'ELSEWHERE', isForeign: true };

/** A result that is compact for the model, and complete for whoever reads it by the API (`SkillCall.details`). */
export class SkillAnswer {
  constructor(
    /** What the model reads; its `summary`, if it has one, is what people are shown. */
    readonly result: JsonValue,
    readonly details: JsonValue,
  ) {}
}

/** Thrown by a skill for what the model, or the user behind it, can mend. The message is shown to the model. */
export class SkillError extends Error {
  override readonly name = 'SkillError';
}

/** An assistant as it ships: what every company starts from until an admin publishes another prompt. */
export interface AssistantDefinition {
  readonly key: string;
  readonly name: string;
  /** BCP 47. */
  readonly language: string;
  /**
   * How a turn is run. REACTIVE: one streaming loop, skills as the model asks for them. PLANNED: a planner decides each
   * step. GROUNDED: documents are searched first, and the answer cites them.
   */
  readonly strategy: 'REACTIVE' | 'PLANNED' | 'GROUNDED';
  readonly budget: Budget;
  /** Looks up earlier messages, and notes what is of lasting use; left out: neither. */
  readonly remembers?: { readonly recallsConversations: boolean; readonly extractsMemories: boolean };
  /**
   * The keys of the skills of code that it is offered in every call; others that it may use it finds by search_skills, as
   * every call pays for what it offers. Left out: all.
   */
  readonly skills?: readonly string[];
  /** A prompt with each of `{date} {name} {language} {profile} {initial_context_title} {initial_context_description} {skill}`. */
  readonly template: string;
  /** A question to try it with, where a server greets whoever started it. */
  readonly example?: string;
}

/** What one turn may use up before it is made to answer. */
export interface Budget {
  maxSteps: number;
  maxSeconds: number;
  /** Of one model call. */
  maxOutputTokens: number;
}

/** What an analysis of a document looks for besides a summary and figures, where its focus is `esg`. */
export interface DocumentIndicators {
  /** The keys of the assistants that have documents analysed so unless they are told otherwise. */
  readonly assistants: readonly string[];
  /** `language`: BCP 47. */
  inLanguage(language: string): readonly Indicator[];
}

/** Something that a document may give evidence for. */
export interface Indicator {
  readonly code: string;
  readonly label: string;
  readonly question: string;
  /** Against those of the others: what is missing is listed by it, the heaviest first. */
  readonly weight: number;
  readonly pillar: 'E' | 'S' | 'G';
}
