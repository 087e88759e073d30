/** A row of neighbours, by their numbers. */
export interface Span {
  first: number;
  last: number;
}

/**
 * Neighbours put together so that no row is larger than `most`, but one that is larger by itself. Numbers count from 0;
 * every one is in exactly one row.
 */
export const rowsOf = (sizes: readonly number[], most: number): Span[] => {
  const rows: Span[] = [];
  let size = 0;
  for (const [number, each] of sizes.entries()) {
    const row = rows.at(-1);
    if (row && size + each <= most) {
      row.last = number;
      size += each;
    } else {
      rows.push({ first: number, last: number });
      size = each;
    }
  }
  return rows;
};
