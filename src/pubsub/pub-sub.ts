import type { Transaction } from '../database/transaction.js';

/** Whether hints of other replicas arrive. `not needed`: there can be no other replica. */
export type Listening = { state: 'ok' | 'not needed' } | { state: 'lost'; forMs: number };

/** The most that fits a hint, in bytes: PostgreSQL's NOTIFY takes less than 8,000, ours has an address on it. */
export const MAX_PAYLOAD_BYTES = 7_000;

/**
 * Hints to look, to whoever is interested on any replica. They may be lost or doubled: what counts is what is
 * stored. The class is both the type and the injection token.
 */
export abstract class PubSub {
  /**
   * Tells `payload` to the listeners of `topic` on every replica once `tx` is committed, and never if it is not.
   * Hints of other replicas may be lost while the connection to the database is: see `onGap`. `topic`: at most 100
   * letters, digits, dots and hyphens; `payload`: at most 7,000 bytes.
   */
  abstract publish(tx: Transaction, topic: string, payload: string): Promise<void>;

  /** The same to the listeners on every replica but this one, which knows already. */
  abstract publishToOthers(tx: Transaction, topic: string, payload: string): Promise<void>;

  /** Calls `listener` for every hint on `topic` until the returned function is called. Its errors are logged. */
  abstract subscribe(topic: string, listener: (payload: string) => void): () => void;

  /** Calls `listener` after a time in which hints of other replicas may have been lost: look at everything. */
  abstract onGap(listener: () => void): () => void;

  abstract get listening(): Listening;
}
