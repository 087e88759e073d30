import { constants } from 'node:os';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Has the process end at SIGTERM and SIGINT, with the exit code that shells have for that, until the function that it
 * gives is called. Where nothing else is to be done it seems needless; but the first process of a container does not
 * hear of signals that it has not asked for.
 */
export const exitOnSignal = (): (() => void) => {
  const exit = (signal: NodeJS.Signals): void => process.exit(128 + constants.signals[signal]);
  for (const signal of SIGNALS) process.on(signal, exit);
  return () => {
    for (const signal of SIGNALS) process.off(signal, exit);
  };
};
