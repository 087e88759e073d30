import { LiveStream } from '@palabre/async';

import { retryUntilConnected } from '../database/retry-until-connected.js';

/** Calls `onHint` with hints, and `onGap` when some may have been missed, until the returned function is called. */
export type Listen = (onHint: (hint: string) => void, onGap: () => void) => () => void;

/** Values that are read again whenever a hint announces changes. Slow readers skip intermediate values. */
export abstract class HintedStream<Value> extends LiveStream<Value> {
  private stopListening: (() => void) | null = null;
  private readonly closing = new AbortController();

  constructor(private readonly source: { listen: Listen }) {
    super();
  }

  protected abstract onHint(hint: string): void;

  /** Hints may have been missed. */
  protected abstract onGap(): void;

  /** Listens before `read` begins, so that what is stored later wakes the reader. The stream closes if it rejects. */
  protected async listening<T>(read: () => Promise<T>): Promise<T> {
    try {
      this.stopListening = this.source.listen(
        (hint) => this.onHint(hint),
        () => this.onGap(),
      );
      return await read();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Reads once the database can be reached, or rejects when the stream is closed. */
  protected readOnceConnected<T>(read: () => Promise<T>): Promise<T> {
    return retryUntilConnected(read, this.closing.signal);
  }

  protected override release(): void {
    this.closing.abort();
    this.stopListening?.();
    this.stopListening = null;
  }
}
