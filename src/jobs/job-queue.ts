import type { z } from 'zod';

import type { Transaction } from '../database/transaction.js';

/** A kind of work that is done later. Its data are ids only: the work begins by reading its row. */
export interface Job<Data extends object> {
  readonly name: string;
  readonly data: z.ZodType<Data>;
  /** What the work is about. Of one key at most one job waits: putting a second in line changes nothing. */
  readonly keyOf: (data: Data) => string;
  /** How long one piece of it may take before it is offered again; 30 unless said otherwise. */
  readonly maxSeconds?: number;
  /**
   * After how long without a sign of life, which the queue gives by itself, the process that has it is taken for dead
   * and it is offered again: for what may take many minutes. At least 10; unless given, only `maxSeconds` tell.
   */
  readonly heartbeatSeconds?: number;
  /** How many pieces one process takes at a time: none is done with before all of them are. 50 unless said otherwise. */
  readonly atATime?: number;
}

/** Where work waits that must not be lost. The class is both the type and the injection token. */
export abstract class JobQueue {
  /** Whether this process carries work out. One that only answers puts it in line, and leaves it to others. */
  abstract readonly takesWork: boolean;

  /**
   * Puts work in line as part of `tx`: it commits or vanishes with the row that it is about. `behind`: how much of the
   * same company's waits already. Where there is less, it comes first, so that no company waits for all of another's.
   */
  abstract enqueue<Data extends object>(
    tx: Transaction,
    job: Job<Data>,
    data: Data,
    options?: { startAfterSeconds?: number; behind?: number },
  ): Promise<void>;

  /**
   * Takes work as it becomes due, on any one replica, several at a time. It may be offered more than once, and is
   * offered again later when `handle` rejects, which is logged, or takes too long. `signal` is aborted
   * then, and when the process stops. Where this process takes no work, it does nothing.
   */
  abstract work<Data extends object>(
    job: Job<Data>,
    handle: (data: Data, signal: AbortSignal) => Promise<void>,
  ): Promise<void>;
}
