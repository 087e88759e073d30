/** Runs at most `places` tasks at the same time. The others wait in the order in which they came. */
export class Semaphore {
  private readonly waiting = new Set<() => void>();

  /** `timeoutError` makes the error for a task that has waited for `maxWaitMs`. */
  constructor(
    private places: number,
    private readonly maxWaitMs: number,
    private readonly timeoutError: () => Error,
  ) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.places > 0) this.places -= 1;
    else await this.waitForPlace();
    try {
      return await work();
    } finally {
      this.releasePlace();
    }
  }

  get waitingCount(): number {
    return this.waiting.size;
  }

  private waitForPlace(): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(enter);
        reject(this.timeoutError());
      }, this.maxWaitMs);
      this.waiting.add(enter);
    });
  }

  private releasePlace(): void {
    const [next] = this.waiting;
    if (!next) {
      this.places += 1;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}
