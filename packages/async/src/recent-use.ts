const PERIOD_MS = 2_000;

/** A key that used less than this part of what the greatest user did is a light one. */
const LIGHT_PART = 0.5;

/** What keys used lately, in milliseconds: in this period, and in the one before. */
export class RecentUse {
  private before = new Map<string, number>();
  private current = new Map<string, number>();
  private greatestMs = 0;
  private endsAt = 0;

  add(key: string, ms: number, now = performance.now()): void {
    this.turnPage(now);
    this.current.set(key, (this.current.get(key) ?? 0) + ms);
    this.greatestMs = Math.max(this.greatestMs, this.of(key));
  }

  /** Whether another key used much more than this one. */
  isLight(key: string, now = performance.now()): boolean {
    this.turnPage(now);
    return this.of(key) < this.greatestMs * LIGHT_PART;
  }

  private of(key: string): number {
    return (this.before.get(key) ?? 0) + (this.current.get(key) ?? 0);
  }

  private turnPage(now: number): void {
    if (now < this.endsAt) return;
    this.before = now < this.endsAt + PERIOD_MS ? this.current : new Map<string, number>();
    this.current = new Map();
    this.greatestMs = [...this.before.values()].reduce((greatest, ms) => Math.max(greatest, ms), 0);
    this.endsAt = now + PERIOD_MS;
  }
}
