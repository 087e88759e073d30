import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DomainError } from '../../common/errors/domain-error.js';
import { messageOf } from '../../common/errors/error-code.js';
import { lockFolder, startEmbedded } from './embedded-database.js';
import { UnusableDatabase } from './unusable-database.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palabre-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Another process that holds the folder's lock the way `lockFolder` does. */
async function holder(): Promise<{ kill(): Promise<unknown> }> {
  const script = `
    const lock = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(join(folder, 'lock'))});
    lock.exec('BEGIN EXCLUSIVE');
    console.log('held');
    setInterval(() => lock, 1000);`;
  const child = spawn(process.execPath, ['-e', script], { env: {}, stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  return {
    kill: () => {
      child.kill('SIGKILL');
      return once(child, 'close');
    },
  };
}

it('locks a new folder once, until it is released', async () => {
  const path = join(folder, 'a', 'b');
  const lock = await lockFolder(path);
  const refused = lockFolder(path);
  await expect(refused).rejects.toBeInstanceOf(DomainError);
  await expect(refused).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining(`in ${path} is in use by another Palabre process (pid ${process.pid})`),
  });
  lock.release();
  (await lockFolder(path)).release();
});

it('is refused while another process holds the lock, and granted once that is killed', async () => {
  const other = await holder();
  await writeFile(join(folder, 'lock.pid'), '');
  await expect(lockFolder(folder)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('by another Palabre process. Use that running server'),
  });
  await other.kill();
  (await lockFolder(folder)).release();
});

it('says what to do about a path that cannot be a folder', async () => {
  const path = join(folder, 'file');
  await writeFile(path, '');
  const refused = lockFolder(path);
  await expect(refused).rejects.toBeInstanceOf(UnusableDatabase);
  await expect(refused).rejects.toThrow(`The folder ${path} cannot hold the embedded database: EEXIST`);
});

it('says what to do about a folder whose lock is something else', async () => {
  await writeFile(join(folder, 'lock'), 'This is no database.'.repeat(100));
  await expect(lockFolder(folder)).rejects.toThrow(/cannot hold the embedded database: .*Set DATA_DIR/);
});

it('starts with a new database where an earlier start was killed while it made one', async () => {
  await mkdir(join(folder, 'postgres.new'));
  await writeFile(join(folder, 'postgres.new', 'PG_VERSION'), '1');
  const { close } = await startEmbedded(folder);
  await close();
  expect(await readdir(folder)).toEqual(['lock', 'lock.pid', 'postgres']);
});

/** Processes that are started from now on run this first. */
function startingDoes(script: string): void {
  vi.stubEnv('NODE_OPTIONS', `--import=data:text/javascript,${encodeURIComponent(script)}`);
}
afterEach(() => void vi.unstubAllEnvs());

it.each([
  ['nothing', ''],
  ['a reason', 'The disk is gone.'],
])('says in words that no new database could be made, of whose failure is known: %s', async (_, reason) => {
  startingDoes(`import fs from 'node:fs'; fs.mkdirSync = () => { throw { message: '${reason}' }; };`);
  const message = `The embedded database in ${join(folder, 'postgres')} cannot be opened${reason && `: ${reason}`}.`;
  await expect(startEmbedded(folder)).rejects.toThrow(message);
});

it('makes a new database where no earlier try writes', async () => {
  startingDoes('process.stderr.write(process.argv.at(-1)); process.exit(1);');
  const first = await startEmbedded(folder).catch(messageOf);
  expect(first).toMatch(/cannot be opened: .*postgres\.new/);
  expect(await startEmbedded(folder).catch(messageOf)).not.toBe(first);
});
