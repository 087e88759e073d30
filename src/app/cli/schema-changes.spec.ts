import { execFileSync } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findEarlierSchema, problemsWith } from './schema-changes.js';

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
  const before = 'type Query { kept: Int lost: Int }';
  const now = 'type Query { kept: Int new: Int }';

  it('is a problem until it is declared', () => {
    expect(problemsWith(before, now, {})).toEqual(['Breaking change: Query.lost was removed.']);
    expect(problemsWith(before, now, { 'Query.lost was removed.': 'It told nothing.' })).toEqual([]);
  });

  it('is no more declared once it is released', () => {
    expect(problemsWith(now, now, { 'Query.lost was removed.': 'It told nothing.' })).toEqual([
      'Declared, but not so: Query.lost was removed.',
    ]);
  });
});
