import type { AgentRun } from './agent-run.js';

/** Calls back after `ms`, unless the run is aborted or what this gives is called first: no timer outlives a run. */
export const runTimer = (
  { ports, signal }: Pick<AgentRun, 'ports' | 'signal'>,
  ms: number,
  callback: () => void,
): (() => void) => {
  if (signal.aborted) return () => undefined;
  const release = (): void => {
    cancel();
    signal.removeEventListener('abort', release);
  };
  const cancel = ports.clock.after(ms, callback);
  signal.addEventListener('abort', release, { once: true });
  return release;
};
