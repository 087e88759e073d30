import { DataSource, type DataSourceOptions, type EntityTarget, type ObjectLiteral } from 'typeorm';

import { Database } from './database.js';
import { startEmbedded } from './embedded.js';
import { migrate } from './migrate.js';
import { loadMigrations } from './migrations.js';
import { SnakeCaseNaming } from './naming-strategy.js';

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

/**
 * Opens the database that `config` names, or the embedded one, and brings it to the newest migration.
 * Rejects with CONFLICT when another process has the embedded one.
 */
export const openDatabase = async (config: DatabaseLocation, entities: Entities): Promise<OpenDatabase> => {
  const embedded = config.database.url === null ? await startEmbedded(config.dataDir) : null;
  try {
    const dataSource = new DataSource({
      ...(await commonOptions(entities)),
      ...(embedded ? { extra: embedded.poolOptions } : serverOptions(config)),
    });
    await dataSource.initialize();
    const close = async (): Promise<void> => {
      await dataSource.destroy();
      await embedded?.close();
    };
    await migrate(dataSource).catch(async (error: unknown) => {
      await close();
      throw error;
    });
    return { database: new Database(dataSource, embedded !== null), close };
  } catch (error) {
    await embedded?.close();
    throw error;
  }
};

const commonOptions = async (entities: Entities) =>
  ({
    type: 'postgres',
    entities: entities as NonNullable<DataSourceOptions['entities']>,
    migrations: await loadMigrations(),
    migrationsTableName: 'migration',
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeCaseNaming(),
    synchronize: false,
    installExtensions: false,
    logging: false,
  }) as const satisfies DataSourceOptions;

const serverOptions = (config: DatabaseLocation) => ({
  url: config.database.url ?? undefined,
  poolSize: config.database.poolSize,
  applicationName: 'palabre',
  connectTimeoutMS: CONNECT_TIMEOUT_MS,
  extra: { keepAlive: true },
});
