import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { freemem, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { wordsOf } from '@palabre/cli';
import { checkProvider, O200kTokenizer } from '@palabre/llm-client';

import { Calendar } from '../../common/calendar.js';
import type { Config } from '../../common/config/config.js';
import { readConfig } from '../../common/config/read-config.js';
import { ConfigError, type Environment } from '../../common/config/environment.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { newId } from '../../common/ids.js';
import { createLogger } from '../../common/process/logger.js';
import { configureEmbedder } from '../../llm/configured-embedder.js';
import { modelSettings } from '../../llm/setting-names.js';
import { type DatabaseReport, reportDatabase } from '../../platform/database/database-report.js';
import { openStorage } from '../../platform/storage/open-storage.js';
import { entities } from '../entities.js';

/** A finding: fine, a risk, or a fault that stops the installation. `advice`: what to do. */
export interface Finding {
  check: string;
  status: 'ok' | 'warning' | 'problem';
  message: string;
  advice?: string;
}

type Found = Omit<Finding, 'check'>;

const CHECK_MS = 20_000;
const SUPPORTED_NODE = [22, 13] as const;
const MIN_MEMORY_BYTES = 1024 ** 3;
const LITTLE_DISK_BYTES = 5 * 1024 ** 3;
const MIN_DISK_BYTES = 200 * 1024 ** 2;
/** Leases and tokens are compared by clocks. */
const CLOCK_WARNING_MS = 1_000;
const CLOCK_PROBLEM_MS = 30_000;

/** `advice`: what to do where a check fails, or takes too long. */
interface Check {
  look: (signal: AbortSignal) => Found | Promise<Found | Found[]>;
  advice: string;
}

/** Checks of the settings. */
const checks: Record<string, (config: Config) => Check> = {
  settings: ({ role }) => certain(ok(`They are usable; the role is ${role}.`)),
  'time zone': ({ timeZone }) =>
    certain(ok(`${timeZone}: today is ${new Calendar(timeZone).dayOf(new Date())} there.`)),
  keys: (config) => certain(encryption(config)),
  'sign-in': (config) => ({
    look: (signal) => signIn(config, signal),
    advice: 'Check the settings AUTH_….',
  }),
  database: (config) => ({ look: () => database(config), advice: 'Check DATABASE_URL, and its server.' }),
  model: (config) => ({
    look: (signal) => provider(config, signal),
    advice: 'Check LLM_BASE_URL, LLM_API_KEY and LLM_MODEL, and the way to the provider.',
  }),
  embedder: (config) => ({
    look: (signal) => embedder(config, signal),
    advice: 'Check the settings EMBEDDING_…, and the way to the provider.',
  }),
  storage: (config) => ({
    look: () => storage(config),
    advice: 'Check the settings S3_…, the rights of its key, and the way to it.',
  }),
};

const machine: Record<string, Check> = {
  node: certain(nodeVersion(process.versions.node)),
  memory: certain(memory(Math.min(totalmem(), process.constrainedMemory() || Infinity), freemem())),
};

/** Checks everything that a server with these settings needs. Changes nothing. */
export async function examine(env?: Environment): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = 'Correct it in the environment, or in .env.';
    const told = error.problems.map((message) => ({ check: 'settings', ...problem(message, advice) }));
    return [...told, ...(await findingsOf(machine))];
  }
  const chosen = Object.entries(checks).map(([name, checkOf]) => [name, checkOf(config)] as const);
  return findingsOf({ ...Object.fromEntries(chosen), ...machine });
}

async function findingsOf(all: Readonly<Record<string, Check>>): Promise<Finding[]> {
  const found = Object.entries(all).map(async ([check, { look, advice }]) => {
    const findings = await inTime(look).catch((error: unknown) => problem(wordsOf(error), advice));
    return [findings].flat().map((each) => ({ check, ...each }));
  });
  return (await Promise.all(found)).flat();
}

function inTime(look: Check['look']): Promise<Found | Found[]> {
  const signal = AbortSignal.timeout(CHECK_MS);
  const late = Promise.withResolvers<never>();
  signal.addEventListener('abort', () =>
    late.reject(new Error(`There was no answer in ${CHECK_MS / 1000} seconds.`)),
  );
  return Promise.race([look(signal), late.promise]);
}

function certain(found: Found): Check {
  return { look: () => found, advice: '' };
}

function ok(message: string): Found {
  return { status: 'ok', message };
}

function warning(message: string, advice: string): Found {
  return { status: 'warning', message, advice };
}

function problem(message: string, advice: string): Found {
  return { status: 'problem', message, advice };
}

function nodeVersion(version: string): Found {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldest, oldestMinor] = SUPPORTED_NODE;
  if (major > oldest || (major === oldest && minor >= oldestMinor)) return ok(`Node ${version}.`);
  const advice = `Install Node ${oldest}.${oldestMinor} or later; 24 is what is tested.`;
  return problem(`Node ${version} is too old.`, advice);
}

function memory(totalBytes: number, freeBytes: number): Found {
  const said = `${sizeOf(totalBytes)} for this process, ${sizeOf(freeBytes)} free on the machine.`;
  if (totalBytes >= MIN_MEMORY_BYTES) return ok(said);
  return warning(said, 'Give it at least 1 GB: reading one document may take 768 MB (DOCUMENT_MEMORY_MB).');
}

function sizeOf(bytes: number): string {
  return bytes >= 1024 ** 3 ? `${(bytes / 1024 ** 3).toFixed(1)} GB` : `${Math.round(bytes / 1024 ** 2)} MB`;
}

function encryption({ encryptionKey, oldEncryptionKeys, auth, database: { url } }: Config): Found {
  if (encryptionKey !== null) {
    if (oldEncryptionKeys.length === 0) return ok('ENCRYPTION_KEY is set.');
    const advice = 'Run `palabre encrypt-anew`, and take the old keys away once it leaves none unread.';
    return warning('ENCRYPTION_KEYS_OLD is set.', advice);
  }
  const from = auth.secret === null ? 'the file auth-secret in DATA_DIR' : 'AUTH_SECRET';
  if (url === null) return ok(`Secrets of companies are encrypted with ${from}: keep it with your backups.`);
  return warning(
    `Secrets of companies are encrypted with ${from}: without it they cannot be read.`,
    'Set ENCRYPTION_KEY, the same for all processes, and ENCRYPTION_KEYS_OLD to what it was.',
  );
}

async function signIn({ auth: { jwksUrl }, oidc }: Config, signal: AbortSignal): Promise<Found | Found[]> {
  const places: [setting: string, address: string][] = [];
  if (jwksUrl !== null) places.push(['AUTH_JWKS_URL', jwksUrl]);
  if (oidc !== null) {
    const address = `${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    places.push(['AUTH_OIDC_ISSUER', address]);
  }
  if (places.length === 0) return ok('Tokens are signed here.');
  return Promise.all(places.map(([setting, address]) => identityProvider(setting, address, signal)));
}

async function identityProvider(setting: string, address: string, signal: AbortSignal): Promise<Found> {
  const answer = await fetch(address, { signal }).catch(() => null);
  await answer?.body?.cancel();
  if (answer?.ok) return ok(`The identity provider of ${setting} answers.`);
  const said = answer === null ? 'cannot be reached' : `answers with ${answer.status}`;
  const advice = `Check ${setting}, and the way to it: nobody can sign in without it.`;
  return problem(`The identity provider ${said}.`, advice);
}

async function database(config: Config): Promise<Found | Found[]> {
  const { url } = config.database;
  if (url === null && !(await isThere(join(config.dataDir, 'postgres'))))
    return ok('Embedded; it is made when the server starts for the first time.');
  try {
    return describe(await reportDatabase(config, entities), url === null);
  } catch (error) {
    // The owner of an embedded database looks after it.
    if (url !== null || !(error instanceof DomainError) || error.code !== 'CONFLICT') throw error;
    return ok(
      `A server is running on the embedded database: GET /health/ready tells how it is. ${error.message}`,
    );
  }
}

function describe(report: DatabaseReport, isEmbedded: boolean): Found[] {
  const { version, missingRights, unprotected, pending, unknown, pgvector, clockAheadMs } = report;
  const clock = Math.abs(clockAheadMs) < CLOCK_PROBLEM_MS ? warning : problem;
  const found = [
    ok(`${isEmbedded ? 'Embedded' : 'On a server'}, PostgreSQL ${version}.`),
    missingRights.length > 0 &&
      problem('The role of DATABASE_URL lacks rights.', `A superuser runs: ${missingRights.join(' ')}`),
    unknown.length > 0 &&
      problem(
        'It is of a newer version of Palabre.',
        'Start that version, or restore the backup from before.',
      ),
    pending.length > 0 &&
      warning(
        `${pending.length} migrations are pending.`,
        'The next start carries them out, or `palabre migrate`.',
      ),
    report.isSuperuser &&
      !isEmbedded &&
      warning(
        'Row-level security does not hold the role of DATABASE_URL itself.',
        'Use a role that is no superuser.',
      ),
    unprotected.length > 0 &&
      problem(
        `Row-level security is off for ${unprotected.join(', ')}.`,
        'Restore the tables from a backup, or run ALTER TABLE … ENABLE and FORCE ROW LEVEL SECURITY for each.',
      ),
    pgvector !== 'installed' &&
      pending.length === 0 &&
      warning(
        'The extension vector is not installed: documents are found by their words only.',
        pgvector === 'available'
          ? 'A superuser runs: CREATE EXTENSION vector;'
          : 'Install pgvector on its server.',
      ),
    Math.abs(clockAheadMs) >= CLOCK_WARNING_MS &&
      clock(`Its clock is ${clockAheadMs / 1000} s ahead of this machine’s.`, 'Have both set by NTP.'),
  ];
  return found.filter((each) => each !== false);
}

async function provider({ model }: Config, signal: AbortSignal): Promise<Found> {
  const { baseUrl, name, firstByteTimeoutMs, idleTimeoutMs } = model;
  if (baseUrl === null || name === null) {
    const advice = 'Set LLM_BASE_URL, LLM_API_KEY and LLM_MODEL.';
    return warning('The offline model answers, which is no real one.', advice);
  }
  const asked = { baseUrl, apiKey: model.apiKey ?? '', model: name, settings: modelSettings };
  const { lists } = await checkProvider({ ...asked, firstByteTimeoutMs, idleTimeoutMs }, signal);
  if (lists === null) return ok(`${name} answers.`);
  if (lists) return ok(`The provider takes the key, and has ${name}.`);
  return warning(`The provider takes the key, and does not list ${name}.`, 'Check LLM_MODEL.');
}

async function embedder({ embedding }: Config, signal: AbortSignal): Promise<Found> {
  if (embedding === null) return ok('None is configured: search is by words only.');
  const { embedder: configured, close } = configureEmbedder(embedding, new O200kTokenizer());
  try {
    const [vector] = (await configured?.embed(['palabre'], 'item', signal)) ?? [];
    const length = vector?.length ?? 0;
    if (embedding.dimensions === null || embedding.dimensions === length)
      return ok(`${embedding.model} answers, with ${length} dimensions.`);
    const advice = 'Set EMBEDDING_DIMENSIONS to that, or leave it out.';
    return problem(`${embedding.model} gives ${length} dimensions.`, advice);
  } finally {
    await close();
  }
}

async function storage({ dataDir, storage: settings }: Config): Promise<Found[]> {
  if (settings.s3 === null) return [await folder(dataDir)];
  const logger = createLogger({ level: 'silent', pretty: false });
  const { storage: bucket, close } = await openStorage(settings, dataDir, logger);
  const key = `doctor/${newId()}`;
  try {
    await bucket.write(key, Buffer.from('palabre'), { mediaType: 'text/plain', maxBytes: 100 });
    await bucket.remove(key);
    return [ok(`Files are stored in the bucket ${settings.s3.bucket}.`), await folder(dataDir)];
  } finally {
    await close();
  }
}

async function folder(dataDir: string): Promise<Found> {
  let standing = dataDir;
  while (!(await isThere(standing)) && dirname(standing) !== standing) standing = dirname(standing);
  try {
    await access(standing, constants.W_OK);
  } catch {
    const advice = 'Set DATA_DIR to a folder that this process may write to.';
    return problem(`${dataDir} cannot be written.`, advice);
  }
  const { bavail, bsize } = await statfs(standing);
  const free = bavail * bsize;
  const said = `${dataDir} can be written, ${sizeOf(free)} are free.`;
  if (free < MIN_DISK_BYTES) return problem(said, 'Make room: the database stops where there is none.');
  return free < LITTLE_DISK_BYTES
    ? warning(said, 'Make room, before files and the database have used it up.')
    : ok(said);
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

const signs = { ok: 'ok     ', warning: 'warning', problem: 'PROBLEM' } as const;

/** A line for each finding, and one for what to do. */
export function findingsAsText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  return findings
    .map(({ check, status, message, advice }) => {
      const line = `${signs[status]}  ${check.padEnd(width)}  ${message}\n`;
      return advice === undefined ? line : `${line}${' '.repeat(width + 11)}→ ${advice}\n`;
    })
    .join('');
}
