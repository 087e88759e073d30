interface Places {
  /** The limit for all keys together. */
  all: number;
  /** The limit for one key. Default: one less than `all`, so that one key cannot fill every place. */
  ofOne?: number;
}

/** Limits the tasks that run at the same time. Keys whose tasks wait take turns. */
export class FairSemaphore {
  private free: number;
  private readonly mostOfOne: number;
  private readonly running = new Map<string, number>();
  /** Tasks that wait, by key; whose turn it is comes first. */
  private readonly waiting = new Map<string, Set<() => void>>();

  /** `mostWaiting`: tasks of one key; `tooManyError` makes the error for one more. */
  constructor(
    { all, ofOne = all - 1 }: Places,
    private readonly mostWaiting: number,
    private readonly tooManyError: () => Error,
  ) {
    this.free = all;
    this.mostOfOne = Math.max(1, ofOne);
  }

  /** Rejects with the signal's reason when it is aborted before the task begins. */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.mayRun(key)) this.take(key);
    else await this.wait(key, signal);
    try {
      return await work();
    } finally {
      this.leave(key);
    }
  }

  /** As `run`, for a task that calls `leave` once at its end. */
  async enter(key: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.mayRun(key)) this.take(key);
    else await this.wait(key, signal);
  }

  leave(key: string): void {
    this.free += 1;
    const running = (this.running.get(key) ?? 1) - 1;
    if (running === 0) this.running.delete(key);
    else this.running.set(key, running);
    this.admitNext();
  }

  /** The number of tasks that wait. */
  get waitingCount(): number {
    return [...this.waiting.values()].reduce((count, line) => count + line.size, 0);
  }

  /** Whether a task of the key would begin at once. */
  mayRun(key: string): boolean {
    return this.free > 0 && (this.running.get(key) ?? 0) < this.mostOfOne;
  }

  private take(key: string): void {
    this.free -= 1;
    this.running.set(key, (this.running.get(key) ?? 0) + 1);
  }

  private async wait(key: string, signal?: AbortSignal): Promise<void> {
    const line = this.waiting.get(key) ?? new Set();
    if (line.size >= this.mostWaiting) throw this.tooManyError();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.waiting.set(key, line.add(resolve));
    const callOff = (): void => {
      this.remove(key, resolve);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', callOff, { once: true });
    // A task that has begun holds its place until it ends. It handles an abort itself.
    await promise.finally(() => signal?.removeEventListener('abort', callOff));
  }

  private remove(key: string, begin: () => void): void {
    const line = this.waiting.get(key);
    if (line?.delete(begin) && line.size === 0) this.waiting.delete(key);
  }

  private admitNext(): void {
    for (const [key, line] of this.waiting) {
      if (!this.mayRun(key)) continue;
      const [begin] = line;
      if (begin === undefined) continue;
      this.waiting.delete(key);
      this.waiting.set(key, line);
      this.remove(key, begin);
      this.take(key);
      begin();
      return;
    }
  }
}
