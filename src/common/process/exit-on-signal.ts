import { constants } from 'node:os';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Until the returned function is called. The first process of a container gets no signals without a handler. */
export function exitOnSignal(): () => void {
  const exit = (signal: NodeJS.Signals): void => process.exit(128 + constants.signals[signal]);
  for (const signal of SIGNALS) process.on(signal, exit);
  return () => {
    for (const signal of SIGNALS) process.off(signal, exit);
  };
}
