/**
 * Waits for statements of one transaction that were put off together. Where several fail, the first of them in the
 * order given is told: the others failed because of it.
 */
export const together = async <Works extends readonly unknown[] | []>(
  works: Works,
): Promise<{ -readonly [Index in keyof Works]: Awaited<Works[Index]> }> => {
  for (const outcome of await Promise.allSettled(works)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
  return Promise.all(works);
};
