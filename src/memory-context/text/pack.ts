/** Something to be told, if there is room for it. */
export interface Weighed {
  /** What it takes, with the line break behind it. */
  tokens: number;
}

export interface Packed<Item> {
  taken: Item[];
  left: Item[];
  /** Of all that were taken. */
  tokens: number;
}

/** In the order given, each that fits in what those before it leave. */
export const packInOrder = <Item extends Weighed>(items: readonly Item[], room: number): Packed<Item> => {
  const packed: Packed<Item> = { taken: [], left: [], tokens: 0 };
  for (const item of items) {
    if (packed.tokens + item.tokens > room) packed.left.push(item);
    else {
      packed.taken.push(item);
      packed.tokens += item.tokens;
    }
  }
  return packed;
};

/**
 * The choice that is worth most together, in the order given. A long item gives way to several short ones that are worth
 * more; nothing that is left would still fit. `worth` gives more than 0.
 */
export const packBest = <Item extends Weighed>(
  items: readonly Item[],
  room: number,
  worth: (item: Item) => number,
): Packed<Item> => {
  const all = packInOrder(items, room);
  if (all.left.length === 0 || room <= 0) return all;
  const chosen = bestChoice(items, room, worth);
  const taken = items.filter((_, index) => chosen.has(index));
  return {
    taken,
    left: items.filter((_, index) => !chosen.has(index)),
    tokens: taken.reduce((sum, { tokens }) => sum + tokens, 0),
  };
};

/** The knapsack, over every number of tokens up to `room`. */
const bestChoice = <Item extends Weighed>(
  items: readonly Item[],
  room: number,
  worth: (item: Item) => number,
): ReadonlySet<number> => {
  const best = new Float64Array(room + 1);
  const takes = items.map((item) => {
    const isTaken = new Uint8Array(room + 1);
    const value = worth(item);
    for (let space = room; space >= item.tokens; space -= 1) {
      const withIt = (best[space - item.tokens] ?? 0) + value;
      if (withIt <= (best[space] ?? 0)) continue;
      best[space] = withIt;
      isTaken[space] = 1;
    }
    return isTaken;
  });
  const chosen = new Set<number>();
  let space = room;
  for (let index = items.length - 1; index >= 0; index -= 1) {
    if (takes[index]?.[space] !== 1) continue;
    chosen.add(index);
    space -= items[index]?.tokens ?? 0;
  }
  return chosen;
};
