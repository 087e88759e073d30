const PAUSE_MS = 60_000;

/** Says something once a minute at most, however often there is cause to. */
export class Seldom {
  private saidAt = Number.NEGATIVE_INFINITY;

  say(it: () => void): void {
    const now = performance.now();
    if (now - this.saidAt < PAUSE_MS) return;
    this.saidAt = now;
    it();
  }
}
