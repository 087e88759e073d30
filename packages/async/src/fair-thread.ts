import { LoopLoad } from './loop-load.js';
import { nextRound } from './next-round.js';
import { rejectOnAbort } from './reject-on-abort.js';
import { ThreadShare } from './thread-share.js';

/** Bytes read without a break, of all answers together. They take a few milliseconds. */
const SLICE_BYTES = 64 * 1024;
/** Reads within this time of each other count as one run. */
const ROW_MS = 0.5;

/** One company's share of the thread while others use it as well. */
const SHARE = 0.25;
const BURST_MS = 50;
/** The longest pause between two overdue readings. */
const MAX_REST_MS = 50;

/** The longest wait of an operation, before those that are overdue follow one after the other. */
const MAX_DELAY_MS = 2_000;

/**
 * What a byte that is received costs the processors, in milliseconds: its way through the kernel and streams, hashing,
 * writing to a disk, and collecting the garbage. Measured with uploads of 16 MB on two processors, 5 ms of 10 on this
 * thread. One that is sent is counted alike.
 */
const MS_PER_BYTE = 10 / 1_000_000;

const NEVER = new AbortController().signal;

interface Waiting {
  signal: AbortSignal;
  /** The longest wait. Then the answer is read after those that are overdue as well, so that it is not lost. */
  maxWaitMs: number;
}

/**
 * Divides the thread among companies. Answers from outside are read in slices, as a socket is otherwise read until it is
 * empty. A company that used more than its share waits with its next reading, and with its next operation if the thread
 * is busy.
 */
export class FairThread {
  private readonly share = new ThreadShare(SHARE, BURST_MS);
  /** Paused answers by company, the longest wait first. The company whose turn it is comes first. */
  private readonly held = new Map<string, Set<() => void>>();
  private sliceBytes = 0;
  private readAt = 0;
  private readMs = 0;
  private waiting: { cancel: () => void; isImmediate: boolean } | null = null;
  private admitted: { company: string; bytes: number; startedAt: number } | null = null;
  /** Resolves when the last overdue answer may be read. */
  private overdue = Promise.resolve();

  constructor(private readonly load = new LoopLoad()) {}

  /** Notes that somebody of the company is served, so that others are not alone. */
  serve(company: string): void {
    this.share.serve(company);
  }

  /** Adds work for the company that was measured elsewhere, in milliseconds. It counts while the thread is busy. */
  charge(company: string, ms: number): void {
    const now = performance.now();
    this.share.charge(company, this.load.charge(ms, now), now);
  }

  /** Whether the company may begin an operation at once. */
  isFree(company: string): boolean {
    const now = performance.now();
    return !this.load.isBusy(now) || this.share.waitOf(company, now) === 0;
  }

  /** Resolves when the company may begin an operation, after MAX_DELAY_MS at the latest. */
  async whenFree(company: string): Promise<void> {
    if (!this.isFree(company)) await this.turnOf(company, { signal: NEVER, maxWaitMs: MAX_DELAY_MS });
  }

  /** Reads `bytes` and measures the time. False: pause the answer and pass it to `hold`. */
  read(company: string, bytes: number, work: () => void): boolean {
    this.settle();
    const startedAt = performance.now();
    work();
    return this.spend(company, bytes, startedAt);
  }

  /** Charges what it takes to receive so many bytes of a body. False: pause the body and pass it to `hold`. */
  receive(company: string, bytes: number): boolean {
    this.chargeBytes(company, bytes);
    return this.share.waitOf(company) === 0;
  }

  /**
   * Charges what it takes to receive or send so many bytes as a whole, unless they are few. Null: go on. Otherwise wait
   * until it resolves.
   */
  transfer(company: string, bytes: number): Promise<void> | null {
    if (bytes <= SLICE_BYTES) return null;
    if (this.share.waitOf(company) > 0) return this.transferInTurn(company, bytes);
    this.chargeBytes(company, bytes);
    return null;
  }

  // Charged when it goes on, so that those that waited together do not go together.
  private async transferInTurn(company: string, bytes: number): Promise<void> {
    await this.turnOf(company, { signal: NEVER, maxWaitMs: MAX_DELAY_MS });
    this.chargeBytes(company, bytes);
    // Of those that are overdue, the next one leaves the thread to others for as long.
    [this.readAt, this.readMs] = [performance.now(), bytes * MS_PER_BYTE];
  }

  /**
   * Reads `bytes`, which have come as a whole, once the thread is free, and measures the time. Rejects with the
   * signal's reason on abort.
   */
  async inTurn<Result>(
    company: string,
    bytes: number,
    work: () => Result,
    waiting: Waiting,
  ): Promise<Result> {
    waiting.signal.throwIfAborted();
    this.settle();
    if (!this.mayReadOn(company, bytes)) await this.turnOf(company, waiting);
    this.settle();
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      this.spend(company, bytes, startedAt);
    }
  }

  /**
   * Resolves when the caller may read `bytes` by itself, and must do so at once. Charges the time until the next
   * reading, or until this round of the event loop ends.
   */
  async admit(company: string, bytes: number, waiting: Waiting): Promise<void> {
    waiting.signal.throwIfAborted();
    this.settle();
    if (!this.mayReadOn(company, bytes)) await this.turnOf(company, waiting);
    this.settle();
    const admitted = { company, bytes, startedAt: performance.now() };
    this.admitted = admitted;
    setImmediate(() => {
      if (this.admitted === admitted) this.settle();
    });
  }

  /** Charges the time of the last admitted reader. */
  private settle(): void {
    const { admitted } = this;
    this.admitted = null;
    if (admitted) this.spend(admitted.company, admitted.bytes, admitted.startedAt);
  }

  private mayReadOn(company: string, bytes: number): boolean {
    const now = performance.now();
    const sliceBytes = now - this.readAt > ROW_MS ? bytes : this.sliceBytes + bytes;
    return sliceBytes <= SLICE_BYTES && this.share.waitOf(company, now) === 0;
  }

  private async turnOf(company: string, { signal, maxWaitMs }: Waiting): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const letGo = this.hold(company, resolve);
    // One after the other, because many may be overdue at once.
    const timer = setTimeout(() => {
      this.overdue = this.overdue.then(() => this.rest());
      void this.overdue.then(resolve);
    }, maxWaitMs);
    try {
      await rejectOnAbort(() => promise, signal);
    } finally {
      clearTimeout(timer);
      letGo();
    }
  }

  /** Leaves the thread to others for as long as the last reading took. One request of theirs needs many rounds. */
  private async rest(): Promise<void> {
    await nextRound();
    const ms = Math.min(this.readAt + this.readMs - performance.now(), MAX_REST_MS);
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  }

  /** Whether the thread may go on reading. */
  private spend(company: string, bytes: number, startedAt: number): boolean {
    const now = performance.now();
    this.sliceBytes = startedAt - this.readAt > ROW_MS ? bytes : this.sliceBytes + bytes;
    this.readAt = now;
    this.readMs = now - startedAt;
    this.take(company, this.readMs, now);
    return this.sliceBytes <= SLICE_BYTES && this.share.waitOf(company, now) === 0;
  }

  private chargeBytes(company: string, bytes: number): void {
    this.take(company, bytes * MS_PER_BYTE, performance.now());
  }

  private take(company: string, ms: number, now: number): void {
    this.share.spend(company, Math.max(ms, this.load.charge(ms, now)), now);
  }

  /** Calls `goOn` when the thread may go on reading, one answer at a time. Returns a function that cancels this. */
  hold(company: string, goOn: () => void): () => void {
    const held = this.held.get(company) ?? new Set();
    this.held.set(company, held.add(goOn));
    this.schedule();
    return () => this.release(company, goOn);
  }

  private schedule(): void {
    // Work that is due in this round is not postponed.
    if (this.waiting?.isImmediate) return;
    this.waiting?.cancel();
    this.waiting = null;
    if (this.held.size === 0) return;
    const now = performance.now();
    const ms = Math.min(...[...this.held.keys()].map((company) => this.share.waitOf(company, now)));
    if (ms === 0) {
      const immediate = setImmediate(() => this.releaseOne());
      this.waiting = { cancel: () => clearImmediate(immediate), isImmediate: true };
    } else {
      const timer = setTimeout(() => this.releaseOne(), ms);
      this.waiting = { cancel: () => clearTimeout(timer), isImmediate: false };
    }
  }

  private releaseOne(): void {
    this.waiting = null;
    const now = performance.now();
    for (const [company, held] of this.held) {
      const [goOn] = held;
      if (goOn === undefined || this.share.waitOf(company, now) > 0) continue;
      this.held.delete(company);
      this.held.set(company, held);
      this.release(company, goOn);
      goOn();
      break;
    }
    this.schedule();
  }

  private release(company: string, goOn: () => void): void {
    const held = this.held.get(company);
    if (held?.delete(goOn) && held.size === 0) this.held.delete(company);
  }
}

/** One instance, because there is one thread. */
export const fairThread = new FairThread();
