/** Resolves in the next round of the event loop, after pending work was served. */
export function nextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
