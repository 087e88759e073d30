/** Finds out, while texts are embedded one batch after the other, whether a refused batch was too large or had a bad text. */
export class Halving {
  private most = Infinity;
  private refusedUntil = Infinity;

  /** How many texts the next batch may have. */
  get mostTexts(): number {
    return this.most;
  }

  /** A batch of `count` texts from number `start` on was refused. */
  refused(start: number, count: number): void {
    this.most = Math.ceil(count / 2);
    this.refusedUntil = start + count;
  }

  /**
   * The texts before number `end` were taken. How many texts a batch may have at most, where that is seen by now: a batch
   * was refused, and its halves were not.
   */
  taken(end: number): number | null {
    if (end < this.refusedUntil) return null;
    const { most } = this;
    this.foundBad();
    return most;
  }

  /** It was a text: the batches after it need not be smaller. */
  foundBad(): void {
    this.most = Infinity;
    this.refusedUntil = Infinity;
  }
}
