/** Lets at most `places` works run at the same time; the others wait in the order in which they came. */
export class Semaphore {
  private readonly waiting = new Set<() => void>();

  /** `late` makes the error for a work that has waited `maxWaitMs` without a place. */
  constructor(
    private places: number,
    private readonly maxWaitMs: number,
    private readonly late: () => Error,
  ) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.places > 0) this.places -= 1;
    else await this.waitForPlace();
    try {
      return await work();
    } finally {
      this.passOn();
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
        reject(this.late());
      }, this.maxWaitMs);
      this.waiting.add(enter);
    });
  }

  private passOn(): void {
    const [next] = this.waiting;
    if (!next) {
      this.places += 1;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}
