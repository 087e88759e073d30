import { singleLine } from '@palabre/text';

import { nameOf } from './pack-layout.js';

/** Of a file's path in the list of a pack's files; what is longer ends in an ellipsis. */
const MAX_SHOWN = 200;

/** A file's path as models are shown it: on one line, without what nobody sees. */
export function shownPath(path: string): string {
  return singleLine(path, MAX_SHOWN);
}

/**
 * Finds a file of a pack by its path: as it is, as a link writes it, or as a model was shown it. Of two files that
 * match, the one with the closer spelling.
 */
export class PackPaths {
  private readonly paths: ReadonlyMap<string, string>;

  constructor(paths: readonly string[]) {
    const spellings = [shownPath, inOneLine, (path: string) => path].map((spelling) =>
      paths.map((path): [string, string] => [spelling(path).normalize('NFC'), path]),
    );
    // The last of two that look the same, unless it is asked for letter by letter.
    this.paths = new Map([...spellings.flat(), ...paths.map((path): [string, string] => [path, path])]);
  }

  /** Null: it has none of that name. */
  find(wanted: string): string | null {
    const tidied = tidyPath(wanted);
    const spellings = [wanted, tidied, tidied.normalize('NFC'), decoded(tidied).normalize('NFC')];
    const known = [...spellings, ...spellings.map((each) => inOneLine(each).normalize('NFC'))];
    return known.map((each) => this.paths.get(each)).find((path) => path !== undefined) ?? null;
  }
}

function inOneLine(path: string): string {
  return singleLine(path, Infinity);
}

/** Removes `./` and double slashes, as in links of Markdown. `../` stays. */
export function tidyPath(path: string): string {
  return path.replaceAll(/\/{2,}/g, '/').replaceAll(/(?<=^|\/)(?:\.\/)+/g, '');
}

/** Percent-decoded, as links are written: `my%20file.md`. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * The `paths` that are most similar to `wanted`, best first: one of them was probably meant.
 */
export function nearestPaths(wanted: string, paths: Iterable<string>, most: number): string[] {
  const pairs = pairsIn(wanted);
  const name = pairsIn(nameOf(wanted));
  return [...paths]
    .map((path) => ({ path, similarity: similarity(pairs, path) + similarity(name, nameOf(path)) }))
    .toSorted((one, other) => other.similarity - one.similarity)
    .slice(0, most)
    .map(({ path }) => path);
}

/** 0 to 1: the share of pairs of letters in common. */
function similarity(pairs: ReadonlySet<string>, text: string): number {
  const others = pairsIn(text);
  const common = [...others].filter((pair) => pairs.has(pair)).length;
  return (2 * common) / (pairs.size + others.size);
}

/** The pairs of letters of a text, with a blank at each end. */
function pairsIn(text: string): Set<string> {
  const letters = [' ', ...text.normalize('NFKD').toLowerCase(), ' '];
  return new Set(letters.slice(1).map((letter, index) => `${letters[index]}${letter}`));
}
