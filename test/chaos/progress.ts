/** How many turns have ended, for what is to happen once it is so many. */
export class Progress {
  private ended = 0;
  private readonly waiting = new Set<{ count: number; resolve: () => void }>();

  readonly advance = (): void => {
    this.ended += 1;
    for (const one of this.waiting) if (this.ended >= one.count) this.release(one);
  };

  /** Resolves once `count` turns have ended. */
  reach(count: number): Promise<void> {
    if (this.ended >= count) return Promise.resolve();
    return new Promise((resolve) => this.waiting.add({ count, resolve }));
  }

  /** Nothing is waited for any more. */
  abandon(): void {
    for (const one of this.waiting) this.release(one);
  }

  private release(one: { count: number; resolve: () => void }): void {
    this.waiting.delete(one);
    one.resolve();
  }
}
