import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DomainError } from '../../common/errors/domain-error.js';
import { lockFolder } from './embedded-database.js';
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
