import { resolve } from 'node:path';
import { inspect } from 'node:util';

import { DomainError } from './common/errors/domain-error.js';
import { exitOnSignal } from './common/process/exit-on-signal.js';
import { createLogger } from './common/process/logger.js';
import { type Config, readConfig } from './config/config.js';
import { ConfigError, loadEnvFile } from './config/environment.js';
import { connectionProblem, UnusableDatabase } from './database/unusable-database.js';
import { type Server, startServer } from './server.js';

const SAME_SIGNAL_MS = 500;

const start = async (): Promise<void> => {
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
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.stdout.write(greeting(config, server));
};

const greeting = (config: Config, server: Server): string =>
  config.role === 'worker' ? workerGreeting(server) : apiGreeting(config, server);

const workerGreeting = ({ url }: Server): string => `
Palabre is ready to work: it runs the turns that other processes take in, and answers no requests (ROLE=worker).

  Health     ${url}/health/ready

`;

const apiGreeting = ({ auth, port, dataDir, publicUrl }: Config, { url, demoToken }: Server): string => {
  const base = publicUrl ?? url;
  // The commands below read the same settings; of those that may be set for this process alone, they are told.
  const folder =
    auth.secret === null && dataDir !== resolve('.palabre') ? `DATA_DIR=${quoted(dataDir)} ` : '';
  const address = port === 4000 ? '' : `PALABRE_URL=${base} `;
  const token = `  Token      ${folder}npm run -s palabre -- token --company demo --email you@example.org --role ADMIN\n`;
  const isSignedIn = demoToken !== null || auth.jwksUrl !== null;
  return `
Palabre is ready.

  GraphQL    ${base}/graphql
  Explorer   ${base}/explorer${demoToken === null ? '' : `#token=${demoToken}`}
${isSignedIn ? '' : token}
  Try it     ${address}${folder}npm run -s ask -- "Quelle est l'empreinte carbone de 12 000 kWh d'électricité au Sénégal et 3 500 litres de gazole ?"

`;
};

/** As one word of a shell's command line. */
const quoted = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Null: it is not one of those that whoever starts the process can mend by a setting. */
const settingAtFault = (error: unknown, { host, port, dataDir }: Config): ConfigError | null => {
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
};

/** Clients are told that the database is away, and no more; whoever starts the process is told why. */
const databaseAtFault = (error: unknown, { database }: Config): unknown => {
  if (!(error instanceof DomainError) || error.code !== 'UNAVAILABLE' || database.url === null) return error;
  const problem = connectionProblem(error.cause, database.url);
  return problem instanceof UnusableDatabase ? problem : error;
};

/** In words where whoever starts the process can mend it, with a stack where it is ours to mend. */
const describe = (error: unknown): string => {
  if (error instanceof ConfigError || error instanceof DomainError || error instanceof UnusableDatabase) {
    return error.message;
  }
  return error instanceof Error ? (error.stack ?? error.message) : inspect(error);
};

// The greeting has no reader, or no room: that is no reason not to serve.
process.stdout.on('error', () => undefined);

start().catch((error: unknown) => {
  process.stderr.write(`${describe(error)}\n`);
  process.exit(1);
});
