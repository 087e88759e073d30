import { checkInput } from '../common/check-input.js';
import { CompanyCreation } from '../companies/company-input.js';
import { createCompany as create } from '../companies/create-company.js';
import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import { openDatabase } from '../database/open-database.js';
import { entities } from '../entities.js';

/**
 * Creates a company. Rejects with BAD_USER_INPUT when a value is not valid, with CONFLICT when the slug is taken or
 * when a running server holds the database.
 */
export const createCompany = async (
  config: Config,
  company: Parameters<typeof create>[1],
): Promise<{ id: string; slug: string; name: string }> => {
  // Here already: nobody should have to stop a server to be told of a mistake in typing.
  const checked = checkInput(CompanyCreation, company, []);
  return withDatabase(config, (database) => create(database, checked));
};

/** Brings the schema to the newest migration, which opening the database does. */
export const migrate = (config: Config): Promise<void> => withDatabase(config, async () => undefined);

const withDatabase = async <T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> => {
  const { database, close } = await openDatabase(config, entities);
  try {
    return await work(database);
  } finally {
    await close();
  }
};
