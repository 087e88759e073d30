/** The public interface. Nothing else of the package may be imported. */
export { FairSemaphore } from './fair-semaphore.js';
export { fairThread } from './fair-thread.js';
export { LiveStream } from './live-stream.js';
export { mapWithConcurrency } from './map-with-concurrency.js';
export { nextRound } from './next-round.js';
export { rejectOnAbort } from './reject-on-abort.js';
export { backoffMs, type Pause, retry } from './retry.js';
export { Semaphore } from './semaphore.js';
export { ThreadShare } from './thread-share.js';
export { TimeDebts } from './time-debts.js';
