import { singleLine } from '@palabre/text';

import { nameOf } from './pack-layout.js';

/** Longer paths end in an ellipsis when shown. */
const MAX_SHOWN = 200;

/** A file's path as shown to models: one line, without invisible characters. */
export function shownPath(path: string): string {
  return singleLine(path, MAX_SHOWN);
}

/** Finds a pack's file by its path: as it is, as in a link, or as shown to a model. The closest spelling wins. */
export class PackPaths {
  private readonly paths: ReadonlyMap<string, string>;

  constructor(paths: readonly string[]) {
    const spellings = [shownPath, inOneLine, (path: string) => path].map((spelling) =>
      paths.map((path): [string, string] => [spelling(path).normalize('NFC'), path]),
    );
    // If two names look the same, the last wins unless the spelling is exact.
    this.paths = new Map([...spellings.flat(), ...paths.map((path): [string, string] => [path, path])]);
  }

  /** Null: no such file. */
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

/** Decodes percent escapes of links: `my%20file.md`. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The `paths` most similar to `wanted`, best first. */
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
