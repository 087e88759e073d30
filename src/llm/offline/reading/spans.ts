/** A stretch of a text. */
export interface Span {
  start: number;
  end: number;
}

export const byStart = (a: Span, b: Span): number => a.start - b.start;

/** The items that touch none of `taken`. Both in order. */
export function apartFrom<Item extends Span>(items: readonly Item[], taken: readonly Span[]): Item[] {
  let next = 0;
  return items.filter(({ start, end }) => {
    while ((taken[next]?.end ?? Infinity) <= start) next += 1;
    return (taken[next]?.start ?? Infinity) >= end;
  });
}

/** The items that lie between two places. `items` in order: found by bisection, as texts may be long. */
export function within<Item extends Span>(items: readonly Item[], start: number, end: number): Item[] {
  let from = 0;
  let to = items.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((items[middle]?.start ?? Infinity) < start) from = middle + 1;
    else to = middle;
  }
  const found: Item[] = [];
  for (let item = items[from]; item && item.start < end; item = items[(from += 1)])
    if (item.end <= end) found.push(item);
  return found;
}
