/**
 * Waits for all statements that a transaction sent together. Rejects with the first error in the order given: later
 * statements fail because of it.
 */
export async function awaitAll<Works extends readonly unknown[] | []>(
  works: Works,
): Promise<{ -readonly [Index in keyof Works]: Awaited<Works[Index]> }> {
  for (const outcome of await Promise.allSettled(works)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
  return Promise.all(works);
}
