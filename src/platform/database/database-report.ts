import { type DataSource, type EntityTarget, MigrationExecutor, type ObjectLiteral } from 'typeorm';

import { compareMigrations } from './migrate.js';
import { connectDatabase, type DatabaseLocation } from './open-database.js';
import { missingRights } from './permissions.js';

/** What an operator should know of a database before a server opens it. */
export interface DatabaseReport {
  /** In the server's words. */
  version: string;
  /** The names of pending migrations, and of those unknown to this version. */
  pending: string[];
  unknown: string[];
  /** Statements that a superuser has to run first. */
  missingRights: string[];
  /** Row-level security does not apply to the role of DATABASE_URL, only to those that it switches to. */
  isSuperuser: boolean;
  /** Tables of tenants that another tenant could read. */
  unprotected: string[];
  pgvector: 'installed' | 'available' | 'missing';
  /** How far the database's clock is ahead of this process's. */
  clockAheadMs: number;
}

/** Looks at a database and changes nothing. Rejects as `openDatabase` does. */
export async function reportDatabase(
  location: DatabaseLocation,
  entities: EntityTarget<ObjectLiteral>[],
): Promise<DatabaseReport> {
  const { dataSource, close } = await connectDatabase(location, entities);
  try {
    return {
      ...(await factsOf(dataSource)),
      ...(await migrationsOf(dataSource)),
      missingRights: location.database.url === null ? [] : await missingRights(dataSource),
      unprotected: await unprotectedTables(dataSource),
      clockAheadMs: await clockAhead(dataSource),
    };
  } finally {
    await close();
  }
}

async function factsOf(
  dataSource: DataSource,
): Promise<Pick<DatabaseReport, 'version' | 'isSuperuser' | 'pgvector'>> {
  const [facts] = await dataSource.query<Pick<DatabaseReport, 'version' | 'isSuperuser' | 'pgvector'>[]>(
    `SELECT current_setting('server_version') AS version,
       (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user) AS "isSuperuser",
       CASE WHEN EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') THEN 'installed'
         WHEN EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector') THEN 'available'
         ELSE 'missing' END AS pgvector`,
  );
  if (!facts) throw new Error('A SELECT without a table gave no row.');
  return facts;
}

async function migrationsOf(dataSource: DataSource): Promise<Pick<DatabaseReport, 'pending' | 'unknown'>> {
  const [table] = await dataSource.query<{ isThere: boolean }[]>(
    `SELECT to_regclass('public.migration') IS NOT NULL AS "isThere"`,
  );
  // TypeORM would create its table by looking.
  const none = { getExecutedMigrations: async () => [] };
  return compareMigrations(table?.isThere ? new MigrationExecutor(dataSource) : none, dataSource);
}

/** Partitions have no policies of their own: they are reached by their table. */
async function unprotectedTables(dataSource: DataSource): Promise<string[]> {
  const rows = await dataSource.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = to_regnamespace('public') AND relkind IN ('r', 'p') AND NOT relispartition
       AND NOT (relrowsecurity AND relforcerowsecurity)
       AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'company_id' AND NOT attisdropped)
     ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** The statement's way to the database and back is halved. */
async function clockAhead(dataSource: DataSource): Promise<number> {
  const sentAt = Date.now();
  const [row] = await dataSource.query<{ ms: number }[]>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
  );
  return Math.round((row?.ms ?? sentAt) - (sentAt + Date.now()) / 2);
}
