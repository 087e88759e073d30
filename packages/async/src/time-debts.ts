/** Of so many keys, those that used time last. */
const MAX_REMEMBERED = 10_000;

interface Debt {
  ms: number;
  /** As of when, by performance.now(). */
  at: number;
}

/** Time that keys have used and not waited off yet. It is paid off at `share` of the time that passes, above 0. */
export class TimeDebts {
  /** Who used time last comes last. */
  private readonly debts = new Map<string, Debt>();

  constructor(private readonly share: number) {}

  /** Adds used time, in milliseconds. */
  add(key: string, ms: number, now = performance.now()): void {
    const debt = this.of(key, now) + ms;
    this.debts.delete(key);
    this.debts.set(key, { ms: debt, at: now });
    if (this.debts.size <= MAX_REMEMBERED) return;
    const [oldest = key] = this.debts.keys();
    this.debts.delete(oldest);
  }

  /** What the key owes, in milliseconds. */
  of(key: string, now = performance.now()): number {
    const debt = this.debts.get(key);
    return debt ? Math.max(0, debt.ms - (now - debt.at) * this.share) : 0;
  }

  /** How long the key waits until it owes at most `ms`, in milliseconds; 0: not at all. */
  waitUntil(key: string, ms: number, now = performance.now()): number {
    return Math.max(0, Math.ceil((this.of(key, now) - ms) / this.share));
  }
}
