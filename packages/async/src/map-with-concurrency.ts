/** Eight tasks leave disk and network to others. */
const CONCURRENCY = 8;

/**
 * Does the same work for many items, a few at a time. Results are in the order of the items. Rejects with the first
 * failure, once no work is under way.
 */
export async function mapWithConcurrency<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (hasFailed) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: CONCURRENCY }, worker));
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
  return results;
}
