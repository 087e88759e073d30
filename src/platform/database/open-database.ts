import pg from 'pg';
import {
  DefaultNamingStrategy,
  DataSource,
  type DataSourceOptions,
  type EntityTarget,
  type ObjectLiteral,
  type Table,
} from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

import type { Logger } from '../../common/process/logger.js';
import { CONNECT_TIMEOUT_MS, PROMPT_MS, SilentConnectionGuard } from './connection-failure.js';
import { Database } from './database.js';
import { migrate, loadMigrations } from './migrate.js';
import { snakeCase } from './transaction.js';
import { prepareConnection } from './transaction-connection.js';
import { explainConnectionError, requireSessionConnections, UnusableDatabase } from './unusable-database.js';

/**
 * `createdAt` in TypeScript is `created_at` in SQL, and a class `TurnEvent` is the table `turn_event`. Keys are named as
 * PostgreSQL names them: `turn_pkey`, and `turn_conversation_fkey` for the column `conversation_id`.
 */
class SnakeCaseNaming extends DefaultNamingStrategy {
  override tableName(className: string, customName: string | undefined): string {
    return customName ?? snakeCase(className);
  }

  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? snakeCase(propertyName);
  }

  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table)}_pkey`;
  }

  override foreignKeyName(table: Table | string, columnNames: string[]): string {
    return `${this.getTableName(table)}_${columnNames.at(-1)?.replace(/_id$/, '')}_fkey`;
  }
}

export interface OpenDatabase {
  database: Database;
  close(): Promise<void>;
}

/** Where the database is. Without a url it is embedded: with its state in `dataDir`, or a copy of `template` in memory. */
export interface DatabaseLocation {
  database: { readonly url: string | null; readonly poolSize: number };
  dataDir: string | null;
  template?: Blob;
}

type Entities = EntityTarget<ObjectLiteral>[];

const KEEP_ALIVE_AFTER_MS = 10_000;

/** Connections for urgent work: one each to store events, to renew leases and to read what other processes stored. */
const AHEAD_CONNECTIONS = 3;

/** How long running statements may take when the database is closed. */
const CLOSE_MS = 2_000;

const OLDEST_VERSION = 15;

/**
 * Opens the database that `config` names, or the embedded one, and brings it to the newest migration.
 * Rejects with CONFLICT when another process has the embedded one, with UnusableDatabase for what an operator can fix.
 */
export async function openDatabase(
  config: DatabaseLocation,
  entities: Entities,
  logger: Logger | null = null,
): Promise<OpenDatabase> {
  const { url } = config.database;
  const { dataSource, aheadPool, close } = await connectDatabase(config, entities);
  try {
    await migrate(dataSource, {
      onOther: () => logger?.info('waiting for another process that migrates the database'),
      onLocked: (tries) => logger?.warn({ tries }, 'a table to be migrated is in use; it is tried again'),
    });
    if (url !== null) await tellOfSuperuser(dataSource, logger);
    return { database: new Database(dataSource, aheadPool, logger), close };
  } catch (error) {
    // The first error is the one to report.
    await close().catch(() => undefined);
    throw url === null ? error : explainConnectionError(error, url);
  }
}

/** Connects to the database that `config` names, or opens the embedded one, as it is. Rejects as `openDatabase` does. */
export async function connectDatabase(config: DatabaseLocation, entities: Entities): Promise<Connected> {
  const { url } = config.database;
  const opened =
    url === null ? await openEmbedded(config, entities) : await openServer(url, config, entities);
  try {
    await opened.dataSource.initialize();
    opened.watch();
    await checkServer(opened.dataSource);
    if (url !== null) requireSessionConnections(await processesBehind(opened.dataSource), url);
    return opened;
  } catch (error) {
    await opened.close().catch(() => undefined);
    throw url === null ? error : explainConnectionError(error, url);
  }
}

interface Connected {
  dataSource: DataSource;
  aheadPool: pg.Pool | null;
  close(): Promise<void>;
}

/** Not connected yet. */
interface Opened extends Connected {
  /** Call it once the data source is connected. */
  watch(): void;
}

async function openEmbedded({ dataDir, template }: DatabaseLocation, entities: Entities): Promise<Opened> {
  // Most installations have a server, and no use for a PostgreSQL in memory.
  const { startEmbedded } = await import('./embedded-database.js');
  const embedded = await startEmbedded(dataDir, template);
  const dataSource = new DataSource({ ...(await commonOptions(entities)), extra: embedded.poolOptions });
  const close = async (): Promise<void> => {
    if (dataSource.isInitialized) await dataSource.destroy();
    await embedded.close();
  };
  return { dataSource, aheadPool: null, watch: () => undefined, close };
}

async function openServer(
  url: string,
  { database: { poolSize } }: DatabaseLocation,
  entities: Entities,
): Promise<Opened> {
  const guard = new SilentConnectionGuard();
  const extra = {
    // With it a server that disappears is noticed within minutes. The kernel's defaults take hours.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    pipeline: true,
    onConnect: (client: pg.ClientBase): Promise<void> => {
      guard.add(client);
      return prepareConnection(client);
    },
  };
  const pool = { url, poolSize, applicationName: 'palabre', connectTimeoutMS: CONNECT_TIMEOUT_MS, extra };
  const dataSource = new DataSource({ ...(await commonOptions(entities)), ...pool });
  const aheadPool = new pg.Pool({
    connectionString: url,
    max: AHEAD_CONNECTIONS,
    application_name: 'palabre ahead',
    connectionTimeoutMillis: PROMPT_MS,
    ...extra,
  });
  // Errors of connections in use reach their statements. Those of idle ones need no handling.
  aheadPool.on('error', () => undefined);
  const watch = (): void => {
    guard.watch((dataSource.driver as PostgresDriver).master as pg.Pool);
    guard.watch(aheadPool);
  };
  const close = async (): Promise<void> => {
    const timer = setTimeout(() => guard.endAll(), CLOSE_MS);
    await Promise.all([aheadPool.end(), dataSource.isInitialized && dataSource.destroy()]).finally(() =>
      clearTimeout(timer),
    );
  };
  return { dataSource, aheadPool, watch, close };
}

async function commonOptions(entities: Entities) {
  return {
    type: 'postgres',
    entities: entities as NonNullable<DataSourceOptions['entities']>,
    migrations: await loadMigrations(),
    migrationsTableName: 'migration',
    namingStrategy: new SnakeCaseNaming(),
    synchronize: false,
    installExtensions: false,
    logging: false,
    // The others print failed migrations to the console, whatever `logging` says, and lines of the log are JSON.
    logger: 'debug',
  } as const satisfies DataSourceOptions;
}

async function checkServer(dataSource: DataSource): Promise<void> {
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
}

/** Row-level security does not apply to such a role. `Database` still switches to roles to which it applies. */
async function tellOfSuperuser(dataSource: DataSource, logger: Logger | null): Promise<void> {
  const [role] = await dataSource.query<{ name: string; isHeld: boolean }[]>(
    `SELECT rolname AS name, NOT (rolsuper OR rolbypassrls) AS "isHeld" FROM pg_roles WHERE rolname = current_user`,
  );
  if (!role || role.isHeld) return;
  logger?.info({ role: role.name }, 'the role of DATABASE_URL is not held by row-level security');
}

/** The ids of the server processes that answer two connections, then the first one again. */
async function processesBehind(dataSource: DataSource): Promise<number[]> {
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
}
