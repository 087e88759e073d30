import type { JsonObject } from '@palabre/json';

/** What is kept of a turn's request that came by another protocol. */
export interface ClientRequest {
  /** SHA-256 of the request, by which a repetition under its idempotency key is known. */
  hash: string;
  /** What the member's app adds to the question, for the model to read; null: nothing. */
  instructions: string | null;
  /** The protocol's own, such as what its answers repeat of the request. */
  echo: JsonObject;
}
