import type { PackRemark } from './pack-remark.js';

/** A SKILL.md: instructions that a model loads when a question asks for them. */
export interface Pack {
  /** `name`, or `category/name`. */
  readonly key: string;
  /** Its name for people: the first heading, else the name in the front matter, else the folder's. */
  readonly name: string;
  /** The folders above it. Null: none. */
  readonly category: string | null;
  /** The front matter's description of its purpose and use. */
  readonly description: string;
  /**
   * The keys of its assistants, from `palabre-assistants` in the front matter's metadata, separated by blanks or
   * commas. Null: all.
   */
  readonly assistants: readonly string[] | null;
  /** Warnings for its author. The pack still works. */
  readonly warnings: readonly PackRemark[];
  /** Other files such as references and assets, by path relative to its folder. */
  readonly files: readonly PackFile[];
  /** Changes with any of its content. */
  readonly version: string;
  /** The instructions, without front matter. */
  readBody(signal: AbortSignal): Promise<string>;
  /** Reads one of `files`. Rejects with SkillError for any other path. */
  readFile(path: string, signal: AbortSignal): Promise<Buffer>;
}

export interface PackFile {
  path: string;
  bytes: number;
}
