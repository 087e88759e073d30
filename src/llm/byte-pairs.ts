/** The rank of every token by its bytes, each byte written as one character (latin1). */
export type TokenRanks = ReadonlyMap<string, number>;

/** Where the tokens of some bytes begin and end: one number more than there are tokens. */
export function tokenBorders(bytes: string, ranks: TokenRanks): number[] {
  if (ranks.has(bytes)) return [0, bytes.length];
  const borders = Array.from(bytes, (_, index) => index);
  borders.push(bytes.length);
  const rankAt = (index: number): number =>
    index + 2 < borders.length
      ? (ranks.get(bytes.slice(borders[index], borders[index + 2])) ?? Infinity)
      : Infinity;
  const pairs = borders.map((_, index) => rankAt(index));
  // The pair that was learnt first is merged first; callers keep the bytes so few that looking at all is fastest.
  for (let at = indexOfLeast(pairs); at !== -1; at = indexOfLeast(pairs)) {
    borders.splice(at + 1, 1);
    pairs.splice(at + 1, 1);
    pairs[at] = rankAt(at);
    if (at > 0) pairs[at - 1] = rankAt(at - 1);
  }
  return borders;
}

/** -1: there is none but Infinity. */
function indexOfLeast(ranks: readonly number[]): number {
  let least = Infinity;
  let at = -1;
  // By index: iterators cost several times as much, and this is where the time goes.
  for (let index = 0; index < ranks.length; index++) {
    const rank = ranks[index] ?? Infinity;
    if (rank >= least) continue;
    least = rank;
    at = index;
  }
  return at;
}
