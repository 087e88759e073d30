import { Injectable } from '@nestjs/common';
import type { QueryRunner } from 'typeorm';

import { withAdvisoryLock } from '../../../platform/database/advisory-lock.js';
import { sqlStateOf, disableDeadline } from '../../../platform/database/connection-failure.js';
import { Database } from '../../../platform/database/database.js';
import { SYSTEM_ROLE, TENANT_ROLE } from '../../../platform/database/transaction.js';

/** A vector space: the vectors of one model with one length, which can be compared with each other. */
export interface VectorSpace {
  id: number;
  dimensions: number;
}

/** The name of a space's vector index, which exists only if some scope is large. */
export function vectorIndexOf(spaceId: number | string): string {
  return `search_vector_space_${spaceId}`;
}

/** Arbitrary advisory lock keys: for creating the tables at start, and for building one index at a time. */
const TABLES_LOCK = 7_265_116_207;
const INDEX_LOCK = 7_265_116_208;

/** The first minor version of pgvector with iterative index scans, which find enough rows of one company. */
const OLDEST_MINOR = 8;

/** pgvector cannot index longer vectors; they are compared one by one. */
const MAX_INDEXED_DIMENSIONS = 4_000;

const BUILD_MEMORY = '256MB';

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Not in a migration, as the extension may be missing. Half precision takes half the space with the same search results.
 */
const TABLES = `
  CREATE TABLE search_space (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    model text NOT NULL,
    dimensions integer NOT NULL,
    noise real NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    UNIQUE (model, dimensions)
  );
  CREATE TABLE search_vector (
    company_id uuid NOT NULL,
    scope_id integer NOT NULL,
    ordinal integer NOT NULL,
    space integer NOT NULL REFERENCES search_space (id),
    embedding halfvec NOT NULL,
    PRIMARY KEY (company_id, scope_id, ordinal, space),
    FOREIGN KEY (company_id, scope_id, ordinal) REFERENCES search_item ON DELETE CASCADE
  );
  CREATE TABLE search_embedding (
    company_id uuid NOT NULL,
    scope_id integer NOT NULL,
    space integer NOT NULL REFERENCES search_space (id),
    embedded_from integer NOT NULL,
    embedded_until integer NOT NULL,
    PRIMARY KEY (company_id, scope_id, space),
    FOREIGN KEY (company_id, scope_id) REFERENCES search_scope ON DELETE CASCADE
  );
  CREATE TABLE search_embedding_claim (
    company_id uuid PRIMARY KEY REFERENCES company ON DELETE CASCADE,
    claim_id uuid NOT NULL,
    claimed_until timestamptz(3) NOT NULL
  );
  GRANT SELECT, INSERT ON search_space TO ${SYSTEM_ROLE};
  GRANT SELECT ON search_space TO ${TENANT_ROLE}`;

const TENANT_TABLES = ['search_vector', 'search_embedding', 'search_embedding_claim'];

function secure(table: string): string {
  return `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON ${table} TO ${TENANT_ROLE}
    USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO ${TENANT_ROLE}`;
}

/** The extension, tables and indexes of semantic search. */
@Injectable()
export class VectorSchemaRepository {
  private building: { runner: QueryRunner; processId: number } | null = null;

  constructor(private readonly database: Database) {}

  /** Creates what is missing. Returns null, or for operators why semantic search is not possible. */
  async prepare(): Promise<string | null> {
    let problem: string | null = null;
    await withAdvisoryLock(this.database, TABLES_LOCK, async () => {
      problem = await this.extensionProblem();
      if (problem === null) await this.makeTables();
    });
    return problem;
  }

  /**
   * Creates the index of a space unless it exists, concurrently with writes. False: another process is creating it, or the
   * space cannot be indexed.
   */
  async makeIndex({ id, dimensions }: VectorSpace): Promise<boolean> {
    if (dimensions > MAX_INDEXED_DIMENSIONS || this.building) return false;
    const runner = this.database.dataSource.createQueryRunner();
    try {
      await disableDeadline(runner);
      const [{ processId } = { processId: 0 }] = await rowsOf<{ processId: number }>(
        runner,
        'SELECT pg_backend_pid() AS "processId"',
      );
      this.building = { runner, processId };
      return await buildAlone(runner, { id, dimensions });
    } finally {
      this.building = null;
      await runner.release();
    }
  }

  /** Cancels the creation of an index, which would delay shutdown. The partial index is dropped later. */
  async stop(): Promise<void> {
    if (!this.building) return;
    await this.database.dataSource.query('SELECT pg_cancel_backend($1)', [this.building.processId]);
  }

  private async extensionProblem(): Promise<string | null> {
    const { dataSource } = this.database;
    const [extension] = await dataSource.query<{ installed: string | null; available: string }[]>(
      `SELECT installed_version AS installed, default_version AS available
       FROM pg_available_extensions WHERE name = 'vector'`,
    );
    if (!extension) return 'the PostgreSQL server has no pgvector: install it there, and start again';
    const { installed, available } = extension;
    if (installed !== null && !isNewEnough(installed))
      return `pgvector ${installed} is too old: run ALTER EXTENSION vector UPDATE, which must give 0.${OLDEST_MINOR} or later`;
    if (!isNewEnough(installed ?? available))
      return `pgvector ${available} is too old: 0.${OLDEST_MINOR} or later is needed`;
    try {
      if (installed === null) await dataSource.query('CREATE EXTENSION IF NOT EXISTS vector');
      return null;
    } catch (error) {
      if (sqlStateOf(error) !== INSUFFICIENT_PRIVILEGE) throw error;
      return 'the role of DATABASE_URL may not run CREATE EXTENSION vector: let a superuser do so once in that database, and start again';
    }
  }

  private async makeTables(): Promise<void> {
    const { dataSource } = this.database;
    const [{ isThere } = { isThere: false }] = await dataSource.query<{ isThere: boolean }[]>(
      `SELECT to_regclass('search_vector') IS NOT NULL AS "isThere"`,
    );
    // Several statements in one query run as one transaction: all tables are created, or none.
    if (!isThere) await dataSource.query([TABLES, ...TENANT_TABLES.map(secure)].join(';'));
  }
}

async function rowsOf<Row>(runner: QueryRunner, sql: string, values: unknown[] = []): Promise<Row[]> {
  return (await runner.query(sql, values)) as Row[];
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 0 || minor >= OLDEST_MINOR;
}

/** Tries the lock without waiting: CREATE INDEX CONCURRENTLY would wait for a statement that waits for it. */
async function buildAlone(runner: QueryRunner, { id, dimensions }: VectorSpace): Promise<boolean> {
  const [{ isOurs } = { isOurs: false }] = await rowsOf<{ isOurs: boolean }>(
    runner,
    'SELECT pg_try_advisory_lock($1) AS "isOurs"',
    [INDEX_LOCK],
  );
  if (!isOurs) return false;
  try {
    await build(runner, { id, dimensions });
    return true;
  } finally {
    await runner.query('RESET maintenance_work_mem; RESET statement_timeout').catch(() => undefined);
    await runner.query('SELECT pg_advisory_unlock($1)', [INDEX_LOCK]).catch(() => undefined);
  }
}

async function build(runner: QueryRunner, { id, dimensions }: VectorSpace): Promise<void> {
  const name = vectorIndexOf(id);
  const [index] = await rowsOf<{ isWhole: boolean }>(
    runner,
    'SELECT indisvalid AS "isWhole" FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  );
  if (index?.isWhole) return;
  // An interrupted creation leaves an invalid index.
  if (index) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
  // An HNSW graph that fits into memory is built several times faster.
  await runner.query(`SET statement_timeout = 0; SET maintenance_work_mem = '${BUILD_MEMORY}'`);
  await runner.query(
    `CREATE INDEX CONCURRENTLY ${name} ON search_vector
       USING hnsw ((embedding::halfvec(${dimensions})) halfvec_ip_ops) WHERE space = ${id}`,
  );
}
