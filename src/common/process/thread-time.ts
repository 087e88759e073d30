import { AsyncLocalStorage } from 'node:async_hooks';

/** Told milliseconds for which everybody else has waited. */
type Tell = (ms: number) => void;

const teller = new AsyncLocalStorage<Tell>();
/** Whether the time that passes is being measured already. */
let isMeasuring = false;

/** Does `work`, and has `tell` told what `onThread` measures inside of it, also after it has waited. */
export function tellingThreadTime<Result>(tell: Tell, work: () => Result): Result {
  return teller.run(tell, work);
}

/**
 * Does what keeps the thread busy, and measures how long, for whoever it is done for. Node cannot tell whose code ran
 * after an `await`: what takes milliseconds says so itself.
 */
export function onThread<Result>(work: () => Result, tell: Tell | undefined = teller.getStore()): Result {
  if (isMeasuring || !tell) return work();
  isMeasuring = true;
  const startedAt = performance.now();
  try {
    return work();
  } finally {
    isMeasuring = false;
    tell(performance.now() - startedAt);
  }
}
