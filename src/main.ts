import { createLogger } from './common/logger.js';
import { DomainError } from './common/domain-error.js';
import { type Config, readConfig } from './config/config.js';
import { ConfigError } from './config/environment.js';
import { type Server, startServer } from './server.js';

const start = async (): Promise<void> => {
  const config = readConfig();
  const logger = createLogger({ level: config.logLevel, pretty: process.stdout.isTTY });
  const server = await startServer(config, logger);
  process.stdout.write(greeting(config, server));
  const stop = (signal: NodeJS.Signals): void => {
    logger.info({ signal }, 'stopping');
    // A second signal leaves at once.
    process.once(signal, () => process.exit(1));
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'the server did not stop as it should');
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
};

const greeting = (config: Config, { url, demoToken }: Server): string => {
  const signIn = demoToken
    ? `  Explorer   ${url}/explorer#token=${demoToken}\n`
    : `  Explorer   ${url}/explorer\n  Token      npm run -s palabre -- token --company demo --email you@example.org --role ADMIN\n`;
  const port = config.port === 4000 ? '' : `PALABRE_URL=${url} `;
  return `
Palabre is ready.

  GraphQL    ${url}/graphql
${signIn}
  Try it     ${port}npm run -s ask -- "Quelle est l'empreinte carbone de 12 000 kWh d'électricité au Sénégal et 3 500 litres de gazole ?"

`;
};

start().catch((error: unknown) => {
  const known = error instanceof ConfigError || error instanceof DomainError;
  process.stderr.write(`${known ? error.message : describe(error)}\n`);
  process.exit(1);
});

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
