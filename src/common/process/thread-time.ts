import { AsyncLocalStorage } from 'node:async_hooks';

/** Receives milliseconds of thread time. */
type Tell = (ms: number) => void;

const teller = new AsyncLocalStorage<Tell>();
/** Whether `onThread` is running. Inner calls are part of the outer measurement. */
let isMeasuring = false;

/** Runs `work`. Reports the times that `onThread` measures inside of it to `tell`, also after an `await`. */
export function tellingThreadTime<Result>(tell: Tell, work: () => Result): Result {
  return teller.run(tell, work);
}

/** Reports the time of synchronous work to its operation, as Node cannot attribute the time after an `await`. */
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
