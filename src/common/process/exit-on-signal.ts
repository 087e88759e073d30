import { constants } from 'node:os';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Makes the process exit on SIGTERM and SIGINT, with the exit code of shells, until the returned function is called. It is
 * needed because the first process of a container (pid 1) does not receive signals without a handler.
 */
export function exitOnSignal(): () => void {
  const exit = (signal: NodeJS.Signals): void => process.exit(128 + constants.signals[signal]);
  for (const signal of SIGNALS) process.on(signal, exit);
  return () => {
    for (const signal of SIGNALS) process.off(signal, exit);
  };
}
