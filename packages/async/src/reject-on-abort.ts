/** Rejects when the signal is aborted. The work goes on for others who share it. */
export async function rejectOnAbort<T>(begin: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return begin();
  signal.throwIfAborted();
  const left = Promise.withResolvers<never>();
  const onAbort = (): void => left.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([begin(), left.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
