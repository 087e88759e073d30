import type { DataSource } from 'typeorm';

/** The statements that would still have to run for the tables to be what the entities say: none, when nothing was forgotten. */
export const schemaDrift = async (dataSource: DataSource): Promise<string[]> => {
  const statements = await dataSource.driver.createSchemaBuilder().log();
  return statements.upQueries.map(({ query }) => query);
};
