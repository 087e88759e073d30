const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * Values for one reader, in order, each once, as they come. Whoever asks for the next before the last is there waits in
 * line; whoever leaves is answered at once, and everything is released.
 *
 * Written by hand, for a generator that waits for its next value would not stop before it.
 */
export abstract class LiveStream<Value> implements AsyncIterableIterator<Value, undefined> {
  /** Set by a wake-up that came while nobody was waiting. */
  protected woken = false;
  private closed = false;
  private wakeUp: (() => void) | null = null;
  private line: Promise<unknown> = Promise.resolve();

  next(): Promise<IteratorResult<Value, undefined>> {
    const result = this.line.then(() => this.advance());
    this.line = result.catch(() => undefined);
    return result;
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.close();
    return Promise.resolve(done);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next value, however long that takes; null when there are no more, or the stream was closed meanwhile. */
  protected abstract find(): Promise<Value | null>;

  /** The value goes to the reader now. */
  protected abstract onTold(value: Value): void;

  /** Gives back all that the stream holds. May be called again. */
  protected abstract release(): void;

  protected get isClosed(): boolean {
    return this.closed;
  }

  /** Resolves at the next wake-up; at once when one came since the last was waited for. */
  protected wait(): Promise<void> {
    if (this.woken || this.closed) {
      this.woken = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.wakeUp = resolve;
    });
  }

  protected wake(): void {
    this.woken = this.wakeUp === null;
    this.wakeUp?.();
    this.wakeUp = null;
  }

  protected close(): void {
    this.closed = true;
    this.release();
    this.wake();
  }

  private async advance(): Promise<IteratorResult<Value, undefined>> {
    if (this.closed) return done;
    try {
      const value = await this.find();
      if (value === null || this.closed) {
        this.close();
        return done;
      }
      this.onTold(value);
      return { done: false, value };
    } catch (error) {
      // Whoever left while the database was away is told nothing of it.
      if (this.closed) return done;
      this.close();
      throw error;
    }
  }
}
