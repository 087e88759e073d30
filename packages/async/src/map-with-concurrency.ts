/** Others wait for the disk and the network as well. */
const CONCURRENCY = 8;

/**
 * The same work for many things, for a few of them at a time; results in the order of the things. Rejects with the first
 * failure, when nothing of it is under way any more.
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
