const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Values for one reader, as they come. Not an async generator: its return() would wait for the pending next(). */
export abstract class LiveStream<Value> implements AsyncIterableIterator<Value, undefined> {
  /** A wake-up came while nothing was waiting. */
  protected woken = false;
  private closed = false;
  private wakeUp: (() => void) | null = null;
  private queue: Promise<unknown> = Promise.resolve();

  next(): Promise<IteratorResult<Value, undefined>> {
    const result = this.queue.then(() => this.advance());
    this.queue = result.catch(() => undefined);
    return result;
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.close();
    return Promise.resolve(done);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Waits for the next value; null: there are no more, or the stream was closed. */
  protected abstract find(): Promise<Value | null>;

  protected abstract onTold(value: Value): void;

  /** Releases all resources. May be called again. */
  protected abstract release(): void;

  protected get isClosed(): boolean {
    return this.closed;
  }

  /** The reader waits for the next value and has received all earlier ones. */
  protected get isWaiting(): boolean {
    return this.wakeUp !== null;
  }

  /** Resolves at the next wake-up, or at once when one came since the last wait. */
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
      // A reader that has left needs no error.
      if (this.closed) return done;
      this.close();
      throw error;
    }
  }
}
