import { inspect } from 'node:util';

import { DomainError } from '../common/errors/domain-error.js';
import { exitOnSignal } from '../common/process/exit-on-signal.js';
import { createLogger, type Logger } from '../common/process/logger.js';
import { type Config, readConfig } from '../common/config/config.js';
import { ConfigError, loadEnvFile } from '../common/config/environment.js';
import { explainConnectionError, UnusableDatabase } from '../platform/database/unusable-database.js';
import { exampleQuestion } from './example-question.js';
import { greeting } from './greeting.js';
import { type Server, startServer } from './server.js';

const SAME_SIGNAL_MS = 500;

/** For a process that failed to hand over its turns. */
const LAST_WORDS_MS = 10_000;

async function start(): Promise<void> {
  // A start may be broken off anywhere: there is nothing to hand over yet, and each migration is a transaction.
  const started = exitOnSignal();
  loadEnvFile();
  const config = readConfig();
  const logger = createLogger({ level: config.logLevel, pretty: process.stdout.isTTY });
  const server = await startServer(config, logger).catch((error: unknown) => {
    throw settingAtFault(error, config) ?? databaseAtFault(error, config);
  });
  let askedAt: number | null = null;
  const stop = (signal: NodeJS.Signals): void => {
    if (askedAt !== null) {
      // A second signal leaves at once. Some supervisors send the first one twice.
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
}

/**
 * What nobody has foreseen leaves the process in a state that nobody knows: it says why in one line, hands over its
 * turns as at SIGTERM where it still can, and ends.
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

/** Null: it is not one of those that whoever starts the process can mend by a setting. */
function settingAtFault(error: unknown, { host, port, dataDir }: Config): ConfigError | null {
  const { syscall, code, path, message, hostname } = error as Partial<NodeJS.ErrnoException> & {
    hostname?: string;
  };
  if (typeof path === 'string' && path.startsWith(dataDir)) {
    return new ConfigError([`DATA_DIR must be a folder that this process can write to (${message}).`]);
  }
  // Other names are looked up as well.
  const isOwnName = syscall === 'getaddrinfo' && hostname === host;
  if (syscall !== 'listen' && !isOwnName) return null;
  if (code === 'EADDRINUSE') {
    return new ConfigError([`PORT must be a free one: ${port} of ${host} is in use. 0 picks one.`]);
  }
  return new ConfigError([`HOST and PORT must be an address to listen on (${message}).`]);
}

/** Clients are told that the database is away, and no more; whoever starts the process is told why. */
function databaseAtFault(error: unknown, { database }: Config): unknown {
  if (!(error instanceof DomainError) || error.code !== 'UNAVAILABLE' || database.url === null) return error;
  const problem = explainConnectionError(error.cause, database.url);
  return problem instanceof UnusableDatabase ? problem : error;
}

/** In words where whoever starts the process can mend it, with a stack where it is ours to mend. */
function describe(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DomainError || error instanceof UnusableDatabase) {
    return error.message;
  }
  return error instanceof Error ? (error.stack ?? error.message) : inspect(error);
}

// The greeting has no reader, or no room: that is no reason not to serve.
process.stdout.on('error', () => undefined);

start().catch((error: unknown) => {
  process.stderr.write(`${describe(error)}\n`);
  process.exit(1);
});
