import { singleLine } from '../../common/text/data-text.js';

/** Of a file's path in the list of a pack's files; what is longer ends in an ellipsis. */
const MOST_SHOWN = 200;

/** A file's path as models are shown it: on one line, without what nobody sees. */
export const shownPath = (path: string): string => singleLine(path, MOST_SHOWN);

/**
 * Which of a pack's files somebody means who writes a path as they know it: as it is, as a link writes it, or as a
 * model was shown it. Where names of two files meet, the closer spelling counts.
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

const inOneLine = (path: string): string => singleLine(path, Infinity);

/** As links in Markdown are written: `./references/a.md`, `references//a.md`. What leads up stays as it is. */
export const tidyPath = (path: string): string =>
  path.replaceAll(/\/{2,}/g, '/').replaceAll(/(?<=^|\/)(?:\.\/)+/g, '');

/** As links have to write what is no letter: `my%20file.md`. */
const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};
