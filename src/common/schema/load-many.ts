import type DataLoader from 'dataloader';

/** A DataLoader batch function from `find`, which gives rows in any order and leaves out missing ones. */
export function loadById<Row extends { id: string }>(
  find: (ids: readonly string[]) => Promise<Row[]>,
): DataLoader.BatchLoadFn<string, Row | null> {
  return async (ids) => {
    const byId = new Map((await find(ids)).map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id) ?? null);
  };
}
