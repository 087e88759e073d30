interface Places {
  /** At most so many tasks run at the same time, of all keys together. */
  all: number;
  /** Of one key; left out: one fewer, so that a place is left for the others, whatever one of them sends. */
  ofOne?: number;
}

/** Limits the tasks that run at the same time. Keys whose tasks wait take turns. */
export class FairSemaphore {
  private free: number;
  private readonly mostOfOne: number;
  private readonly running = new Map<string, number>();
  /** Tasks that wait, by key; whose turn it is comes first. */
  private readonly waiting = new Map<string, (() => void)[]>();

  /** `mostWaiting`: tasks of one key; `tooManyError` makes the error for one more. */
  constructor(
    { all, ofOne = all - 1 }: Places,
    private readonly mostWaiting: number,
    private readonly tooManyError: () => Error,
  ) {
    this.free = all;
    this.mostOfOne = Math.max(1, ofOne);
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.mayRun(key)) this.take(key);
    else await this.wait(key);
    try {
      return await work();
    } finally {
      this.giveBack(key);
    }
  }

  private mayRun(key: string): boolean {
    return this.free > 0 && (this.running.get(key) ?? 0) < this.mostOfOne;
  }

  private take(key: string): void {
    this.free -= 1;
    this.running.set(key, (this.running.get(key) ?? 0) + 1);
  }

  private wait(key: string): Promise<void> {
    const line = this.waiting.get(key) ?? [];
    if (line.length >= this.mostWaiting) return Promise.reject(this.tooManyError());
    this.waiting.set(key, line);
    return new Promise((resolve) => line.push(resolve));
  }

  private giveBack(key: string): void {
    this.free += 1;
    const running = (this.running.get(key) ?? 1) - 1;
    if (running === 0) this.running.delete(key);
    else this.running.set(key, running);
    this.admitNext();
  }

  private admitNext(): void {
    for (const [key, line] of this.waiting) {
      if (!this.mayRun(key)) continue;
      const enter = line.shift();
      this.waiting.delete(key);
      if (line.length > 0) this.waiting.set(key, line);
      this.take(key);
      enter?.();
      return;
    }
  }
}
