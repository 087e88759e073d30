import type { ParsedPage } from './parsed-document.js';

/** A file as a reader gets it. */
export interface ReadFile {
  bytes: Uint8Array;
  /** As it was uploaded. */
  name: string;
}

/** What a reader knows at the end. */
export interface ReadSummary {
  /** Null: the format has none. */
  pages: number | null;
  /** What was lost or is doubtful, for people. */
  warnings: string[];
}

/**
 * Reads one format, in a process of its own that is killed when it takes too long or too much memory. Gives pages as it
 * goes, so that none but the one at hand is held. Throws DocumentRefused for what a person can mend; anything else that
 * it throws means that the file is broken.
 */
export type ReadPages = (file: ReadFile) => AsyncGenerator<ParsedPage, ReadSummary>;
