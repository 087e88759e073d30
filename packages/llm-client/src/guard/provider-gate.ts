interface Waiting {
  admit(): void;
}

/**
 * Limits concurrent calls to a provider. Companies take turns, so that a company with many calls delays only itself.
 * Within a company, first come first served.
 */
export class ProviderGate {
  private under = 0;
  /** Waiting calls by company. The company whose turn it is comes first. No line is empty. */
  private readonly lines = new Map<string, Set<Waiting>>();

  constructor(private readonly maxCalls: number) {}

  /** Resolves to a function that returns the place, and may be called again. Rejects with the signal's reason. */
  enter(company: string, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.under < this.maxCalls) {
      this.under += 1;
      return Promise.resolve(this.place());
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.remove(company, waiting);
        reject(signal.reason);
      };
      const waiting = {
        admit: () => {
          signal.removeEventListener('abort', onAbort);
          resolve(this.place());
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.add(company, waiting);
    });
  }

  /** Running and waiting calls. */
  get load(): { under: number; waiting: number } {
    const waiting = [...this.lines.values()].reduce((sum, line) => sum + line.size, 0);
    return { under: this.under, waiting };
  }

  private add(company: string, waiting: Waiting): void {
    const line = this.lines.get(company);
    if (line) line.add(waiting);
    else this.lines.set(company, new Set([waiting]));
  }

  private remove(company: string, waiting: Waiting): void {
    const line = this.lines.get(company);
    line?.delete(waiting);
    if (line?.size === 0) this.lines.delete(company);
  }

  private place(): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = this.takeNext();
      if (next) next.admit();
      else this.under -= 1;
    };
  }

  private takeNext(): Waiting | null {
    const [turn] = this.lines;
    if (turn === undefined) return null;
    const [company, line] = turn;
    this.lines.delete(company);
    const [next = null] = line;
    if (next) line.delete(next);
    if (line.size > 0) this.lines.set(company, line);
    return next;
  }
}
