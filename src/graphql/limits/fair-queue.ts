import { LRUCache } from 'lru-cache';

/** Thread time without waiting: a front end sends several operations at once when it opens. */
const BURST_MS = 100;

/** Waiting operations are held in memory. */
const MAX_WAITING = 100;

const MAX_REMEMBERED = 10_000;

interface Line {
  /** Used thread time that was not waited off yet, as of `at`. */
  debtMs: number;
  at: number;
  waiting: number;
  /** Resolves when the next operation may check whether it is its turn; null: it may now. */
  free: Promise<void> | null;
}

/** A key that has used the thread waits before its next operation, so that those of other keys come in between. */
export class FairQueue {
  private readonly lines = new LRUCache<string, Line>({ max: MAX_REMEMBERED });

  /** `share`: of the thread's time, from 0 to 1. With 1 or more nobody waits. */
  constructor(private readonly share: number) {}

  /** Adds used thread time, in milliseconds. */
  spend(key: string, ms: number): void {
    const line = this.lineOf(key);
    line.debtMs += ms;
  }

  /** Resolves when it is the operation's turn. False: too many are waiting. */
  async enter(key: string): Promise<boolean> {
    if (this.share >= 1) return true;
    const line = this.lineOf(key);
    if (line.free === null && line.debtMs <= BURST_MS) {
      this.leaveRoom(line);
      return true;
    }
    if (line.waiting >= MAX_WAITING) return false;
    line.waiting += 1;
    const turn = this.wait(line, key);
    line.free = turn;
    await turn;
    line.waiting -= 1;
    if (line.waiting === 0) this.leaveRoom(line);
    return true;
  }

  private async wait(line: Line, key: string): Promise<void> {
    await line.free;
    // The cost of the previous operation is known only after it has run.
    await nextRound();
    for (let over = this.lineOf(key).debtMs - BURST_MS; over > 0; over = this.lineOf(key).debtMs - BURST_MS) {
      await new Promise((resolve) => setTimeout(resolve, Math.ceil(over / this.share)));
    }
  }

  /** The operation that has entered runs before the next one enters. */
  private leaveRoom(line: Line): void {
    const free = nextRound();
    line.free = free;
    void this.freeAfter(line, free);
  }

  private async freeAfter(line: Line, free: Promise<void>): Promise<void> {
    await free;
    if (line.free === free) line.free = null;
  }

  private lineOf(key: string): Line {
    const now = performance.now();
    const line = this.lines.get(key) ?? { debtMs: 0, at: now, waiting: 0, free: null };
    line.debtMs = Math.max(0, line.debtMs - (now - line.at) * this.share);
    line.at = now;
    this.lines.set(key, line);
    return line;
  }
}

function nextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
