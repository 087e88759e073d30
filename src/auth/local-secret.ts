import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../common/errors/error-code.js';

import { ConfigError } from '../config/environment.js';

const MIN_CHARACTERS = 32;
const SECRET_BYTES = 48;

/**
 * The HS256 secret of this installation, from `DATA_DIR/auth-secret`, made at first use. Processes that ask at the
 * same time get the same one.
 */
export const localSecret = async (dataDir: string): Promise<string> => {
  const path = join(dataDir, 'auth-secret');
  const secret = (await readIfThere(path)) ?? (await create(dataDir, path));
  if (secret.length >= MIN_CHARACTERS) return secret;
  throw new ConfigError([
    `${path} holds less than ${MIN_CHARACTERS} characters. Remove it, and a new secret is made.`,
  ]);
};

const readIfThere = async (path: string): Promise<string | null> => {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
};

const create = async (dataDir: string, path: string): Promise<string> => {
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeDurably(draft, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`);
    // A link appears with its content whole and never replaces another's, which neither a write nor a rename does.
    await link(draft, path).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return (await readFile(path, 'utf8')).trim();
};

const writeDurably = async (path: string, text: string): Promise<void> => {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(text);
  await file.sync();
};
