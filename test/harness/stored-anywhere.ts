import type { Database } from '../../src/platform/database/database.js';

/** The tables of which a row holds the text, in whatever column, in order; jobs and their archive too. */
export async function tablesHolding(database: Database, text: string): Promise<string[]> {
  const tables: { schema: string; name: string }[] = await database.dataSource.query(
    `SELECT nspname AS schema, relname AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE relkind = 'r' AND nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2`,
  );
  const holding: string[] = [];
  for (const { schema, name } of tables) {
    const rows: unknown[] = await database.dataSource.query(
      `SELECT 1 FROM "${schema}"."${name}" AS stored, jsonb_each_text(to_jsonb(stored)) AS held
       WHERE position($1 IN held.value) > 0 LIMIT 1`,
      [text],
    );
    // Partitions go by their table's name.
    if (rows.length > 0) holding.push(name.replace(/_(?:\d{8}|rest)$/, ''));
  }
  return [...new Set(holding)];
}
