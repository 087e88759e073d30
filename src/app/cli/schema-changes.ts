import { execFileSync } from 'node:child_process';

import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

const RELEASE = /^v\d+\.\d+\.\d+$/;

/** The schema of the newest tagged release in `folder`, or else of the previous commit. Null: no history, or no git. */
export function findEarlierSchema(folder: string): { from: string; text: string } | null {
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

/** Changes that break clients, and changes that they may notice, in the words of GraphQL Inspector. */
interface SchemaChanges {
  breaking: string[];
  dangerous: string[];
}

export async function changesBetween(before: string, now: string): Promise<SchemaChanges> {
  const changes = await diff(buildSchema(before), buildSchema(now));
  const of = (level: CriticalityLevel): string[] =>
    changes.filter(({ criticality }) => criticality.level === level).map(({ message }) => message);
  return { breaking: of(CriticalityLevel.Breaking), dangerous: of(CriticalityLevel.Dangerous) };
}

/** Undeclared breaking changes, and declarations without one. Empty: all is well. */
export function problemsWith(
  { breaking }: SchemaChanges,
  declared: Readonly<Record<string, string>>,
): string[] {
  const meant = Object.keys(declared);
  return [
    ...breaking.filter((one) => !meant.includes(one)).map((one) => `Breaking change: ${one}`),
    ...meant.filter((one) => !breaking.includes(one)).map((one) => `Declared, but not so: ${one}`),
  ];
}
