import pg from 'pg';

/** A PostgreSQL server to run the same tests on; without it they run on the embedded database alone. */
export const testDatabaseUrl = process.env.TEST_DATABASE_URL ?? null;

export function urlOfDatabase(name: string): string {
  if (testDatabaseUrl === null) throw new Error('TEST_DATABASE_URL is not set.');
  const url = new URL(testDatabaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: testDatabaseUrl ?? undefined });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
