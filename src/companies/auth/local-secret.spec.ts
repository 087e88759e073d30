import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { localSecret } from './local-secret.js';

describe('localSecret', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palabre-secret-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('makes the folder and a secret that only its owner reads, and keeps it', async () => {
    const dataDir = join(folder, 'not', 'there', 'yet');
    const secret = await localSecret(dataDir);
    expect(secret.length).toBeGreaterThanOrEqual(32);
    expect((await stat(join(dataDir, 'auth-secret'))).mode & 0o777).toBe(0o600);
    expect(await localSecret(dataDir)).toBe(secret);
  });

  it('gives the same secret to all who ask at once, and leaves no draft behind', async () => {
    const secrets = await Promise.all(Array.from({ length: 20 }, () => localSecret(folder)));
    expect(new Set(secrets).size).toBe(1);
    expect(await readdir(folder)).toEqual(['auth-secret']);
    expect(await readFile(join(folder, 'auth-secret'), 'utf8')).toBe(`${secrets[0]}\n`);
  });

  it('makes another secret for another folder', async () => {
    expect(await localSecret(join(folder, 'a'))).not.toBe(await localSecret(join(folder, 'b')));
  });

  it('refuses a file whose secret is too short to be one', async () => {
    await writeFile(join(folder, 'auth-secret'), 'hunter2\n');
    await expect(localSecret(folder)).rejects.toThrow('holds less than 32 characters');
  });
});
