import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Config } from '../../common/config/config.js';
import { ConfigError } from '../../common/config/environment.js';
import { codeOf } from '../../common/errors/error-code.js';
import { Secrets } from '../../platform/secrets.js';
import { writeDurably } from '../../platform/storage/disk-file-storage.js';

const MIN_CHARACTERS = 32;
const SECRET_BYTES = 48;

/**
 * The HS256 secret of this installation, from `DATA_DIR/auth-secret`, created at first use. Processes that start at the
 * same time get the same secret.
 */
export async function localSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'auth-secret');
  const secret = (await readIfThere(path)) ?? (await create(dataDir, path));
  if (secret.length >= MIN_CHARACTERS) return secret;
  throw new ConfigError([
    `${path} holds less than ${MIN_CHARACTERS} characters. Remove it, and a new secret is made.`,
  ]);
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

async function create(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeDurably(draft, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`);
    // A link appears with its whole content and never replaces an existing file. A write or a rename would not do both.
    await link(draft, path).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return (await readFile(path, 'utf8')).trim();
}

/** The installation's keys for encryption and signatures. */
export async function openSecrets({
  encryptionKey,
  oldEncryptionKeys,
  auth,
  dataDir,
}: Pick<Config, 'encryptionKey' | 'oldEncryptionKeys' | 'auth' | 'dataDir'>): Promise<Secrets> {
  return new Secrets(encryptionKey ?? auth.secret ?? (await localSecret(dataDir)), oldEncryptionKeys);
}
