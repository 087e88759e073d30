import type { JsonObject } from '@palabre/json';

/** The stored part of a request through another protocol. */
export interface ClientRequest {
  /** SHA-256 of the request, to recognise its repetition under the idempotency key. Null: it has none. */
  hash: string | null;
  /** Text of the member's app for the model. Null: none. */
  instructions: string | null;
  /** Data of the protocol, such as parts of the request that answers repeat. */
  echo: JsonObject;
}
