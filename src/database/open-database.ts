import { DataSource, type DataSourceOptions, type EntityTarget, type ObjectLiteral } from 'typeorm';

import type { Logger } from '../common/process/logger.js';
import { Database } from './database.js';
import { startEmbedded } from './embedded/embedded.js';
import { prepareConnection } from './connection/guarded-query.js';
import { migrate } from './schema/migrate.js';
import { loadMigrations } from './schema/migrations.js';
import { SnakeCaseNaming } from './schema/naming-strategy.js';
import { connectionProblem, refuseSharedConnections, UnusableDatabase } from './unusable-database.js';

export interface OpenDatabase {
  database: Database;
  close(): Promise<void>;
}

/** Where the database is. No url: embedded, with its state in `dataDir`, or in memory when that is null. */
export interface DatabaseLocation {
  database: { readonly url: string | null; readonly poolSize: number };
  dataDir: string | null;
}

export type Entities = EntityTarget<ObjectLiteral>[];

const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_AFTER_MS = 10_000;

const OLDEST_VERSION = 15;

/**
 * Opens the database that `config` names, or the embedded one, and brings it to the newest migration.
 * Rejects with CONFLICT when another process has the embedded one, with UnusableDatabase for what an operator can mend.
 */
export const openDatabase = async (
  config: DatabaseLocation,
  entities: Entities,
  logger: Logger | null = null,
): Promise<OpenDatabase> => {
  const { url, poolSize } = config.database;
  const common = await commonOptions(entities);
  const embedded = url === null ? await startEmbedded(config.dataDir) : null;
  const dataSource = new DataSource({
    ...common,
    ...(embedded ? { extra: embedded.poolOptions } : serverOptions(url, poolSize)),
  });
  const close = async (): Promise<void> => {
    if (dataSource.isInitialized) await dataSource.destroy();
    await embedded?.close();
  };
  try {
    await dataSource.initialize();
    await checkServer(dataSource);
    if (url !== null) refuseSharedConnections(await processesBehind(dataSource), url);
    await migrate(dataSource, () => logger?.info('waiting for another process that migrates the database'));
    return { database: new Database(dataSource, embedded !== null, poolSize), close };
  } catch (error) {
    // The first error is the one to tell.
    await close().catch(() => undefined);
    throw url === null ? error : connectionProblem(error, url);
  }
};

const commonOptions = async (entities: Entities) =>
  ({
    type: 'postgres',
    entities: entities as NonNullable<DataSourceOptions['entities']>,
    migrations: await loadMigrations(),
    migrationsTableName: 'migration',
    namingStrategy: new SnakeCaseNaming(),
    synchronize: false,
    installExtensions: false,
    logging: false,
  }) as const satisfies DataSourceOptions;

const serverOptions = (url: string | null, poolSize: number) => ({
  url: url ?? undefined,
  poolSize,
  applicationName: 'palabre',
  connectTimeoutMS: CONNECT_TIMEOUT_MS,
  extra: {
    // A server that vanishes without a word is noticed in minutes; the kernel's own defaults take hours.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    pipeline: true,
    onConnect: prepareConnection,
  },
});

const checkServer = async (dataSource: DataSource): Promise<void> => {
  const [server] = await dataSource.query<{ version: string; number: number; encoding: string }[]>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
       current_setting('server_encoding') AS encoding`,
  );
  if (!server) throw new Error('A SELECT without a table gave no row.');
  if (server.number < OLDEST_VERSION * 10_000) {
    throw new UnusableDatabase(
      `The server of DATABASE_URL is PostgreSQL ${server.version}; Palabre needs ${OLDEST_VERSION} or later.`,
    );
  }
  if (server.encoding !== 'UTF8') {
    throw new UnusableDatabase(
      `The database of DATABASE_URL has the encoding ${server.encoding}, which cannot hold every text. ` +
        "Create one with: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.",
    );
  }
};

/** The server's processes that answer two connections, and the first of them once more. */
const processesBehind = async (dataSource: DataSource): Promise<number[]> => {
  const first = dataSource.createQueryRunner();
  const other = dataSource.createQueryRunner();
  const processIds: number[] = [];
  try {
    for (const runner of [first, other, first]) {
      const sql = 'SELECT pg_backend_pid() AS id';
      const [row] = await dataSource.query<{ id: number }[]>(sql, [], runner);
      processIds.push(row?.id ?? 0);
    }
  } finally {
    await first.release();
    await other.release();
  }
  return processIds;
};
