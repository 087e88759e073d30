import type { ParsedPage } from './parsed-document.js';
import type { Remark } from './remarks.js';

export interface ReadFile {
  bytes: Uint8Array;
  /** As uploaded. */
  name: string;
}

/** What a reader knows at the end. */
export interface ReadSummary {
  /** Null: the format has none. */
  pages: number | null;
  /** What was lost or is doubtful, for people. */
  warnings: Remark[];
}

/**
 * Reads one format, in a process that is killed when it takes too much time or memory. Pages are streamed, so that only
 * one is held. Throws DocumentRefused for a problem that people can fix; any other error means that the file is
 * damaged.
 */
export type ReadPages = (file: ReadFile) => AsyncGenerator<ParsedPage, ReadSummary>;

/** The pieces of a text as Markdown. Returns the warnings. */
export type TextReading = Generator<string, Remark[]>;
