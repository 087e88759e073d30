/** The rank of every token by its bytes, each byte written as one character (latin1). */
export type TokenRanks = ReadonlyMap<string, number>;

/** Where the tokens of some bytes begin and end: one number more than there are tokens. */
export function tokenBorders(bytes: string, ranks: TokenRanks): number[] {
  if (ranks.has(bytes)) return [0, bytes.length];
  const borders: number[] = [];
  const pairs: number[] = [];
  const twoBytes = pairRanksOf(ranks);
  for (let index = 0; index <= bytes.length; index++) {
    borders.push(index);
    const pair = (bytes.charCodeAt(index) << 8) | bytes.charCodeAt(index + 1);
    pairs.push(index + 1 < bytes.length ? (twoBytes[pair] ?? Infinity) : Infinity);
  }
  const rankAt = (index: number): number =>
    index + 2 < borders.length
      ? (ranks.get(bytes.slice(borders[index], borders[index + 2])) ?? Infinity)
      : Infinity;
  // The pair that was learnt first is merged first; callers keep the bytes so few that looking at all is fastest.
  for (let at = indexOfLeast(pairs); at !== -1; at = indexOfLeast(pairs)) {
    removeAt(borders, at + 1);
    removeAt(pairs, at + 1);
    pairs[at] = rankAt(at);
    if (at > 0) pairs[at - 1] = rankAt(at - 1);
  }
  return borders;
}

/** Half of all that is looked up is two bytes: a table of them is several times as fast. */
const pairTables = new WeakMap<TokenRanks, Float64Array>();

function pairRanksOf(ranks: TokenRanks): Float64Array {
  const known = pairTables.get(ranks);
  if (known) return known;
  const table = new Float64Array(2 ** 16).fill(Infinity);
  for (const [bytes, rank] of ranks) {
    if (bytes.length === 2) table[(bytes.charCodeAt(0) << 8) | bytes.charCodeAt(1)] = rank;
  }
  pairTables.set(ranks, table);
  return table;
}

/** As `splice` does it, which takes several times as long for so few. */
function removeAt(numbers: number[], at: number): void {
  for (let index = at + 1; index < numbers.length; index++) numbers[index - 1] = numbers[index] as number;
  numbers.pop();
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
