/** Whoever leaves does not take along what others wait for. */
export const whileWanted = async <T>(begin: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
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
};
