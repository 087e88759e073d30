import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ConfigError, loadEnvFile } from './environment.js';

describe('a file named .env', () => {
  const before = process.cwd();
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palabre-env-'));
    process.chdir(folder);
    delete process.env.FIRST;
    process.env.SECOND = 'from outside';
  });
  afterEach(async () => {
    process.chdir(before);
    await rm(folder, { recursive: true });
  });

  it('need not be there', () => {
    expect(loadEnvFile).not.toThrow();
  });

  it('adds to the environment, also where it begins with a mark of byte order', async () => {
    await writeFile('.env', '\uFEFFFIRST="a#b"\nSECOND=from the file\n');
    loadEnvFile();
    expect(process.env).toMatchObject({ FIRST: 'a#b', SECOND: 'from outside' });
  });

  it('is refused in UTF-16', async () => {
    await writeFile('.env', '\uFEFFFIRST=one\n', 'utf16le');
    expect(loadEnvFile).toThrow(ConfigError);
    expect(loadEnvFile).toThrow(/\.env must be a text in UTF-8/);
  });

  it('is refused where it cannot be read', async () => {
    await mkdir('.env');
    expect(loadEnvFile).toThrow(ConfigError);
    expect(loadEnvFile).toThrow(/\.env must be a file that this process can read/);
  });
});
