import type { SkillEffect } from '@palabre/plugin';

export {
  changesElsewhere,
  changesHere,
  readsForeign,
  readsOwn,
  type Skill,
  SkillAnswer,
  type SkillContext,
  type SkillEffect,
  SkillError,
} from '@palabre/plugin';

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
  /** Warnings for its author. The pack works nevertheless. */
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

/** Names of the agent loop's own functions. No skill can have one of them as its key. */
export const reservedSkillKeys = [
  'load_skill',
  'read_skill_file',
  'search_skills',
  'synthesize_answer',
  'continue_in_background',
] as const;

export type ReservedKey = (typeof reservedSkillKeys)[number];

const reserved: ReadonlySet<string> = new Set(reservedSkillKeys);

export function isReservedSkillKey(key: string): boolean {
  return reserved.has(key);
}

/** Whether results of the skill of this key may be strangers' words. Null: it is not there any more, and nobody knows. */
export function isForeign(key: string, effect: Pick<SkillEffect, 'isForeign'> | null): boolean {
  return !isReservedSkillKey(key) && (effect?.isForeign ?? true);
}
