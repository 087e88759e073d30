import { execFileSync } from 'node:child_process';

import { buildSchema, findBreakingChanges } from 'graphql';

/** A schema that clients may have been written for, and where it is from. */
interface EarlierSchema {
  from: string;
  text: string;
}

const RELEASE = /^v\d+\.\d+\.\d+$/;

/**
 * The schema of the newest release that `folder` has the tag of, or else of the commit before the last; null: it has no
 * history, or no git at all.
 */
export function findEarlierSchema(folder: string): EarlierSchema | null {
  const tags = git(folder, 'tag', '--list', '--sort=-version:refname', '--merged', 'HEAD')?.split('\n');
  const release = tags?.find((tag) => RELEASE.test(tag));
  const [from, revision] = release
    ? [`the release ${release}`, release]
    : ['the commit before, as there is no tag of a release', 'HEAD~1'];
  const text = git(folder, 'show', `${revision}:schema.graphql`);
  return text === null ? null : { from, text };
}

function git(folder: string, ...args: string[]): string | null {
  try {
    return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return null;
  }
}

/** What in `now` breaks clients of `before` and is not declared, and what is declared and not so: empty when all is well. */
export function problemsWith(
  before: string,
  now: string,
  declared: Readonly<Record<string, string>>,
): string[] {
  const found = findBreakingChanges(buildSchema(before), buildSchema(now)).map((one) => one.description);
  const meant = Object.keys(declared);
  return [
    ...found.filter((one) => !meant.includes(one)).map((one) => `Breaking change: ${one}`),
    ...meant.filter((one) => !found.includes(one)).map((one) => `Declared, but not so: ${one}`),
  ];
}
