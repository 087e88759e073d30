import { wholeNumber } from './environment.js';

/** What the documents that are uploaded may cost. */
export interface DocumentsConfig {
  /** What one of them may have. */
  readonly maxBytes: number;
  /** For how long the process that reads a document may be waited for. */
  readonly timeoutMs: number;
  /** What that process may take. */
  readonly memoryMegabytes: number;
}

/** The variables of documents. */
export const documentVariables = {
  DOCUMENT_MAX_BYTES: wholeNumber(1, 2_000_000_000, 52_428_800),
  DOCUMENT_TIMEOUT_SECONDS: wholeNumber(1, 3600, 120),
  // A runtime without any document takes some 60.
  DOCUMENT_MEMORY_MB: wholeNumber(256, 65_536, 768),
};

type Given = Record<keyof typeof documentVariables, number>;

export const toDocumentsConfig = (given: Given): DocumentsConfig => ({
  maxBytes: given.DOCUMENT_MAX_BYTES,
  timeoutMs: given.DOCUMENT_TIMEOUT_SECONDS * 1000,
  memoryMegabytes: given.DOCUMENT_MEMORY_MB,
});
