/** What is read in a row, of all answers together, before the thread does something else: it takes a few milliseconds. */
const SLICE_BYTES = 64 * 1024;
/** Reads that are closer together are in a row. */
const ROW_MS = 0.5;

/** The part of the thread that the answers of one company take while those of others are read as well. */
const SHARE = 0.25;
const BURST_MS = 50;

/** A company counts as one whose answers are read for so long after one was. */
const READS_FOR_MS = 10_000;

interface Reader {
  /** Time of reading that was not waited off yet, as of `at`. */
  debtMs: number;
  at: number;
  /** Answers that are held back, the longest first. */
  held: Set<() => void>;
}

/**
 * Divides the thread among the answers that are read. A provider may send faster than anything else is done, and a socket
 * is read until it is empty: nobody else would be served while some such answers come in.
 */
export class ReadingShare {
  /** By company; whose turn it is comes first. */
  private readonly readers = new Map<string, Reader>();
  private sliceBytes = 0;
  private readAt = 0;
  private waiting: { cancel: () => void } | null = null;

  /** Times the reading of so many bytes. False: the answer has to be paused, and given to `hold`. */
  read(company: string, bytes: number, work: () => void): boolean {
    const startedAt = performance.now();
    work();
    const now = performance.now();
    const ms = now - startedAt;
    this.sliceBytes = startedAt - this.readAt > ROW_MS ? bytes : this.sliceBytes + bytes;
    this.readAt = now;
    const reader = this.readerOf(company, now);
    reader.debtMs += ms;
    return this.sliceBytes <= SLICE_BYTES && this.waitOf(reader, now) === 0;
  }

  /** Calls `goOn` when the thread may read on, one at a time. Returns the function that calls it off. */
  hold(company: string, goOn: () => void): () => void {
    const { held } = this.readerOf(company, performance.now());
    held.add(goOn);
    this.schedule();
    return () => void held.delete(goOn);
  }

  private schedule(): void {
    this.waiting?.cancel();
    this.waiting = null;
    const now = performance.now();
    const waits = [...this.readers.values()]
      .filter(({ held }) => held.size > 0)
      .map((reader) => this.waitOf(reader, now));
    if (waits.length === 0) return;
    const ms = Math.min(...waits);
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
    for (const [company, reader] of this.readers) {
      const [goOn] = reader.held;
      if (goOn === undefined || this.waitOf(this.readerOf(company, now), now) > 0) continue;
      reader.held.delete(goOn);
      this.readers.delete(company);
      this.readers.set(company, reader);
      goOn();
      break;
    }
    this.schedule();
  }

  /** In milliseconds; 0: it may read. Nobody waits who reads alone. */
  private waitOf({ debtMs }: Reader, now: number): number {
    if (debtMs <= BURST_MS || !this.isShared(now)) return 0;
    return Math.ceil((debtMs - BURST_MS) / SHARE);
  }

  private isShared(now: number): boolean {
    let count = 0;
    for (const { at } of this.readers.values()) if (now - at < READS_FOR_MS && ++count > 1) return true;
    return false;
  }

  private readerOf(company: string, now: number): Reader {
    const reader = this.readers.get(company) ?? this.added(company, now);
    reader.debtMs = Math.max(0, reader.debtMs - (now - reader.at) * SHARE);
    reader.at = now;
    return reader;
  }

  private added(company: string, now: number): Reader {
    for (const [other, { at, held }] of this.readers)
      if (held.size === 0 && now - at > READS_FOR_MS) this.readers.delete(other);
    const reader: Reader = { debtMs: 0, at: now, held: new Set() };
    this.readers.set(company, reader);
    return reader;
  }
}

/** There is one thread. */
export const readingShare = new ReadingShare();
