/**
 * A hint to look, to whoever is interested on any replica. Hints may be lost or doubled: what counts is what is
 * stored. The class is both the type and the injection token.
 */
export abstract class PubSub {
  /** `payload` is short: ids, at most 2,000 bytes. */
  abstract publish(topic: string, payload: string): void;

  /** Calls `listener` for every hint on `topic` until the returned function is called. */
  abstract subscribe(topic: string, listener: (payload: string) => void): () => void;
}
