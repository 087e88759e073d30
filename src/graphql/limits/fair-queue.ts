import { nextRound, TimeDebts } from '@palabre/async';
import { LRUCache } from 'lru-cache';

/** Thread time without waiting: a front end sends several operations at once when it opens. */
const BURST_MS = 100;

/** Thread time in one round of the event loop, for work that is too small to queue. */
const ROUND_MS = 5;
/** The longest delay of small work. For larger debts a limit of a minute refuses what comes. */
const MAX_DELAY_MS = 1_000;

/** Waiting operations are held in memory. */
export const MAX_WAITING = 100;

const MAX_REMEMBERED = 10_000;

interface Line {
  waiting: number;
  /** Resolves when the next operation may check whether it is its turn; null: it may now. */
  free: Promise<void> | null;
  /** Resolves when the last of the small works has had its own round of the event loop. */
  round: Promise<void>;
}

/** A key that has used the thread waits before its next operation, so that those of other keys come in between. */
export class FairQueue {
  private readonly lines = new LRUCache<string, Line>({ max: MAX_REMEMBERED });
  /** Used thread time by key. */
  private readonly debts: TimeDebts;

  /** `share`: of the thread's time, from 0 to 1. With 1 or more nobody waits. */
  constructor(private readonly share: number) {
    this.debts = new TimeDebts(share);
  }

  /** Adds used thread time, in milliseconds. */
  spend(key: string, ms: number): void {
    this.debts.add(key, ms);
  }

  /** Resolves when it is the operation's turn. False: too many are waiting. */
  async enter(key: string): Promise<boolean> {
    if (this.share >= 1) return true;
    const line = this.lineOf(key);
    if (line.free === null && this.debts.of(key) <= BURST_MS) {
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
    const waitMs = (): number => this.debts.waitUntil(key, BURST_MS);
    for (let ms = waitMs(); ms > 0; ms = waitMs()) await new Promise((resolve) => setTimeout(resolve, ms));
  }

  /**
   * For work that is too small to queue. A key with debts continues later, alone of its key in a round of the event
   * loop.
   */
  async whenFree(key: string): Promise<void> {
    if (this.share >= 1 || this.debts.of(key) <= ROUND_MS) return;
    const ms = Math.min(this.debts.waitUntil(key, BURST_MS), MAX_DELAY_MS);
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    const line = this.lineOf(key);
    line.round = line.round.then(nextRound);
    await line.round;
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
    const line = this.lines.get(key) ?? { waiting: 0, free: null, round: Promise.resolve() };
    this.lines.set(key, line);
    return line;
  }
}
