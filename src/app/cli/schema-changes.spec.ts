import { execFileSync } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { changesBetween, findEarlierSchema, problemsWith } from './schema-changes.js';

const author = { name: 'Ada', email: 'ada@example.org' };
const env = {
  PATH: process.env.PATH,
  HOME: '/nowhere',
  GIT_AUTHOR_NAME: author.name,
  GIT_AUTHOR_EMAIL: author.email,
  GIT_COMMITTER_NAME: author.name,
  GIT_COMMITTER_EMAIL: author.email,
};

describe('the schema that a change is compared with', () => {
  it('is that of the newest release, and without any that of the commit before', async () => {
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'palabre-schema-'));
    const folder = temporary.path;
    const git = (...args: string[]): unknown =>
      execFileSync('git', args, { cwd: folder, env, stdio: 'ignore' });
    const commit = async (field: string): Promise<void> => {
      await writeFile(join(folder, 'schema.graphql'), `type Query { ${field}: Int }`);
      git('add', '.');
      git('commit', '--message', field);
    };
    expect(findEarlierSchema(folder)).toBeNull();
    git('init', '--initial-branch', 'main');
    await commit('first');
    expect(findEarlierSchema(folder)).toBeNull();
    await commit('second');
    expect(findEarlierSchema(folder)).toMatchObject({ text: 'type Query { first: Int }' });
    git('tag', 'v0.9.0');
    await commit('third');
    git('tag', 'v0.10.0');
    await commit('fourth');
    git('tag', 'v0.11.0-rc.1');
    git('tag', 'zurich');
    await commit('fifth');
    expect(findEarlierSchema(folder)).toEqual({
      from: 'the release v0.10.0',
      text: 'type Query { third: Int }',
    });
  });
});

describe('a breaking change', () => {
  const lost = "Field 'lost' was removed from object type 'Query'";
  const breaking = changesBetween('type Query { kept: Int lost: Int }', 'type Query { kept: Int new: Int }');

  it('is a problem until it is declared', async () => {
    expect(problemsWith(await breaking, {})).toEqual([`Breaking change: ${lost}`]);
    expect(problemsWith(await breaking, { [lost]: 'It told nothing.' })).toEqual([]);
  });

  it('is no more declared once it is released', () => {
    expect(problemsWith({ breaking: [], dangerous: [] }, { [lost]: 'It told nothing.' })).toEqual([
      `Declared, but not so: ${lost}`,
    ]);
  });
});

it('a change that clients may notice is told, and no problem', async () => {
  const before = 'type Query { which: Which } enum Which { ONE }';
  const changes = await changesBetween(before, before.replace('ONE', 'ONE TWO'));
  expect(changes).toEqual({ breaking: [], dangerous: ["Enum value 'TWO' was added to enum 'Which'"] });
  expect(problemsWith(changes, {})).toEqual([]);
});
