import DataLoader from 'dataloader';

/** A loader over `find`, which gives the rows in any order and leaves out what there is none of. */
export const loadById = <Row extends { id: string }>(
  find: (ids: readonly string[]) => Promise<Row[]>,
): DataLoader<string, Row | null> =>
  new DataLoader(async (ids) => {
    const byId = new Map((await find(ids)).map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id) ?? null);
  });
