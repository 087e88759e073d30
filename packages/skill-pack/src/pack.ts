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
  /** Changes whenever anything of the pack does. */
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
