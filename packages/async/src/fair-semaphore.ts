/**
 * Runs at most `places` tasks at the same time, of all keys together, and of one key fewer: whatever one of them sends, a
 * place is left for the others. Keys whose tasks wait take turns.
 */
export class FairSemaphore {
  private free: number;
  private readonly running = new Map<string, number>();
  /** Tasks that wait, by key; whose turn it is comes first. */
  private readonly waiting = new Map<string, (() => void)[]>();

  /** `mostWaiting`: tasks of one key; `tooManyError` makes the error for one more. */
  constructor(
    private readonly places: number,
    private readonly mostWaiting: number,
    private readonly tooManyError: () => Error,
  ) {
    this.free = places;
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
    return this.free > 0 && (this.running.get(key) ?? 0) < Math.max(1, this.places - 1);
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
