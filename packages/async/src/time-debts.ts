/** The most keys that are remembered. The least recent user is forgotten first. */
const MAX_REMEMBERED = 10_000;

interface Debt {
  ms: number;
  /** When `ms` was right, by performance.now(). */
  at: number;
}

/** Time that keys have used and not waited off yet. It shrinks by `share` of the time that passes, above 0. */
export class TimeDebts {
  /** The most recent user comes last. */
  private readonly debts = new Map<string, Debt>();

  constructor(private readonly share: number) {}

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
