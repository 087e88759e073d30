/**
 * Those of `paths` that are most like `wanted`, the likest first; of one that is like none, the first of them. For who
 * has asked for a file that is not there, and means one of these.
 */
export const nearestPaths = (wanted: string, paths: Iterable<string>, most: number): string[] => {
  const pairs = pairsIn(wanted);
  const name = pairsIn(nameOf(wanted));
  return [...paths]
    .map((path) => ({ path, likeness: likeness(pairs, path) + likeness(name, nameOf(path)) }))
    .toSorted((one, other) => other.likeness - one.likeness)
    .slice(0, most)
    .map(({ path }) => path);
};

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Of 0 to 1: which part of the pairs of letters both have. */
const likeness = (pairs: ReadonlySet<string>, text: string): number => {
  const others = pairsIn(text);
  const common = [...others].filter((pair) => pairs.has(pair)).length;
  return (2 * common) / (pairs.size + others.size);
};

/** Those of a text that begins and ends with a blank: even one letter makes two. */
const pairsIn = (text: string): Set<string> => {
  const letters = [' ', ...text.normalize('NFKD').toLowerCase(), ' '];
  return new Set(letters.slice(1).map((letter, index) => `${letters[index]}${letter}`));
};
