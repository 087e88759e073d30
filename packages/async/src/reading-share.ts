import { rejectOnAbort } from './reject-on-abort.js';
import { ThreadShare } from './thread-share.js';

/** What is read in a row, of all answers together, before the thread does something else: it takes a few milliseconds. */
const SLICE_BYTES = 64 * 1024;
/** Reads that are closer together are in a row. */
const ROW_MS = 0.5;

/** The part of the thread that the answers of one company take while those of others are read as well. */
const SHARE = 0.25;
const BURST_MS = 50;

interface Waiting {
  /** Whoever gives up waiting does not hold on to what has come. */
  signal: AbortSignal;
  /** After so long it is read, whoever's turn it is: an answer that has come must not be lost. */
  maxWaitMs: number;
}

/**
 * Divides the thread among the answers that are read. A provider may send faster than anything else is done, and a socket
 * is read until it is empty: nobody else would be served while some such answers come in.
 */
export class ReadingShare {
  private readonly share = new ThreadShare(SHARE, BURST_MS);
  /** Answers that are held back, the longest first, by company; whose turn it is comes first. */
  private readonly held = new Map<string, Set<() => void>>();
  private sliceBytes = 0;
  private readAt = 0;
  private waiting: { cancel: () => void } | null = null;

  /** Times the reading of so many bytes. False: the answer has to be paused, and given to `hold`. */
  read(company: string, bytes: number, work: () => void): boolean {
    const startedAt = performance.now();
    work();
    return this.spend(company, bytes, startedAt);
  }

  /**
   * Reads so many bytes, which have come as a whole: few of them at once, more when the thread may read on. Times it.
   * Rejects with the signal's reason when it is aborted meanwhile.
   */
  async inTurn<Result>(
    company: string,
    bytes: number,
    work: () => Result,
    waiting: Waiting,
  ): Promise<Result> {
    if (bytes > SLICE_BYTES) await this.turnOf(company, waiting);
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      this.spend(company, bytes, startedAt);
    }
  }

  private async turnOf(company: string, { signal, maxWaitMs }: Waiting): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const letGo = this.hold(company, resolve);
    const timer = setTimeout(resolve, maxWaitMs);
    try {
      await rejectOnAbort(() => promise, signal);
    } finally {
      clearTimeout(timer);
      letGo();
    }
  }

  /** Whether the thread may read on. */
  private spend(company: string, bytes: number, startedAt: number): boolean {
    const now = performance.now();
    this.sliceBytes = startedAt - this.readAt > ROW_MS ? bytes : this.sliceBytes + bytes;
    this.readAt = now;
    this.share.spend(company, now - startedAt, now);
    return this.sliceBytes <= SLICE_BYTES && this.share.waitOf(company, now) === 0;
  }

  /** Calls `goOn` when the thread may read on, one at a time. Returns the function that calls it off. */
  hold(company: string, goOn: () => void): () => void {
    const held = this.held.get(company) ?? new Set();
    this.held.set(company, held.add(goOn));
    this.schedule();
    return () => this.release(company, goOn);
  }

  private schedule(): void {
    this.waiting?.cancel();
    this.waiting = null;
    if (this.held.size === 0) return;
    const now = performance.now();
    const ms = Math.min(...[...this.held.keys()].map((company) => this.share.waitOf(company, now)));
    if (ms === 0) {
      const immediate = setImmediate(() => this.releaseOne());
      this.waiting = { cancel: () => clearImmediate(immediate) };
    } else {
      const timer = setTimeout(() => this.releaseOne(), ms);
      this.waiting = { cancel: () => clearTimeout(timer) };
    }
  }

  private releaseOne(): void {
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

/** There is one thread. */
export const readingShare = new ReadingShare();
