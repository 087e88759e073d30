import { Session } from 'node:inspector/promises';
import { inspect } from 'node:util';

import { LanguageDetector } from '@palabre/passages';

import { DomainError } from '../common/errors/domain-error.js';
import { exitOnSignal } from '../common/process/exit-on-signal.js';
import { createLogger, type Logger } from '../common/process/logger.js';
import type { Config } from '../common/config/config.js';
import { readConfig } from '../common/config/read-config.js';
import { ConfigError, loadEnvFile } from '../common/config/environment.js';
import { explainConnectionError, UnusableDatabase } from '../platform/database/unusable-database.js';
import { exampleQuestion, greeting } from './greeting.js';
import { type Server, startServer } from './server.js';

const SAME_SIGNAL_MS = 500;

/** The time to hand over turns after a failure. */
const LAST_WORDS_MS = 10_000;

async function start(): Promise<void> {
  // The start may be interrupted anywhere: there are no turns to hand over yet, and each migration is a transaction.
  const started = exitOnSignal();
  loadEnvFile();
  const config = readConfig();
  const logger = createLogger({ level: config.logLevel, pretty: process.stdout.isTTY });
  // Not with the first document, as everybody would wait for it.
  await LanguageDetector.load();
  const server = await startServer(config, logger).catch((error: unknown) => {
    throw settingAtFault(error, config) ?? databaseAtFault(error, config);
  });
  let askedAt: number | null = null;
  const stop = (signal: NodeJS.Signals): void => {
    if (askedAt !== null) {
      // A second signal exits at once. Some supervisors send the first one twice.
      if (performance.now() - askedAt > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    askedAt = performance.now();
    logger.info({ signal }, 'stopping');
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'the server did not stop as it should');
        process.exit(1);
      },
    );
  };
  started();
  exitOnFailure(server, logger);
  const { firstCompany, plugins } = server.resources;
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.stdout.write(greeting(config, { ...server, firstCompany, example: exampleQuestion(plugins) }));
  await collectGarbage().catch((error: unknown) => logger.debug({ err: error }, 'garbage was not collected'));
}

/** A start leaves a hundred megabytes behind, which a process without work would keep. */
async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}

/**
 * After an unexpected failure the state of the process is unknown: it logs the error, hands over its turns as at
 * SIGTERM, and exits.
 */
function exitOnFailure(server: Server, logger: Logger): void {
  let isFailing = false;
  const fail = (failure: unknown): void => {
    logger.fatal({ err: failure }, 'nobody has foreseen this failure: the process ends');
    if (isFailing) process.exit(1);
    isFailing = true;
    setTimeout(() => process.exit(1), LAST_WORDS_MS).unref();
    void server.close().finally(() => process.exit(1));
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
}

/** Explains an error that a setting can fix. Null: another error. */
function settingAtFault(error: unknown, { host, port, dataDir }: Config): ConfigError | null {
  const { syscall, code, path, message, hostname } = error as Partial<NodeJS.ErrnoException> & {
    hostname?: string;
  };
  if (typeof path === 'string' && path.startsWith(dataDir))
    return new ConfigError([`DATA_DIR must be a folder that this process can write to (${message}).`]);
  // Other host names are looked up too.
  const isOwnName = syscall === 'getaddrinfo' && hostname === host;
  if (syscall !== 'listen' && !isOwnName) return null;
  if (code === 'EADDRINUSE')
    return new ConfigError([`PORT must be a free one: ${port} of ${host} is in use. 0 picks one.`]);
  return new ConfigError([`HOST and PORT must be an address to listen on (${message}).`]);
}

/** Clients only learn that the database is unavailable. The operator learns why. */
function databaseAtFault(error: unknown, { database }: Config): unknown {
  if (!(error instanceof DomainError) || error.code !== 'UNAVAILABLE' || database.url === null) return error;
  const problem = explainConnectionError(error.cause, database.url);
  return problem instanceof UnusableDatabase ? problem : error;
}

/** A plain message for errors that an operator can fix, and a stack for others. */
function describe(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DomainError || error instanceof UnusableDatabase)
    return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : inspect(error);
}

// The server runs even if the greeting cannot be written.
process.stdout.on('error', () => undefined);

start().catch((error: unknown) => {
  process.stderr.write(`${describe(error)}\n`);
  process.exit(1);
});
