import type { DataSource } from 'typeorm';

import { sqlStateOf } from './connection-failure.js';
import { SYSTEM_ROLE, TENANT_ROLE } from './transaction.js';
import { UnusableDatabase } from './unusable-database.js';

/** 42501 is a missing privilege. 42P07: a table exists that was not seen, because it belongs to another role. */
const MISSING_PRIVILEGE = new Set(['42501', '42P07']);

/** Runs a schema change. When the role lacks a privilege, rejects with the statements that a superuser must run. */
export async function explainMissingPermissions(
  dataSource: DataSource,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!MISSING_PRIVILEGE.has(sqlStateOf(error) ?? '')) throw error;
    await refuseTablesOfSuperuser(dataSource, error);
    const statements = await missingRights(dataSource);
    if (statements.length === 0) throw error;
    throw new UnusableDatabase(
      'The role of DATABASE_URL may not do what the database needs. Let a superuser run this in that database ' +
        `once, and start again:\n\n  ${statements.join('\n  ')}\n`,
      { cause: error },
    );
  }
}

/** The owner of the tables, and whether the current role has its privileges. */
const OWNER = `SELECT rolname, rolsuper, pg_has_role(current_user, relowner, 'USAGE') AS "isMine"
  FROM pg_class JOIN pg_roles ON pg_roles.oid = relowner WHERE pg_class.oid = to_regclass('public.migration')`;

/** After restoring a dump the tables may belong to a superuser, whose role should not be granted to anybody. */
async function refuseTablesOfSuperuser(dataSource: DataSource, cause: unknown): Promise<void> {
  const [owner] = await dataSource.query<{ rolname: string; rolsuper: boolean; isMine: boolean }[]>(OWNER);
  if (!owner?.rolsuper || owner.isMine) return;
  throw new UnusableDatabase(
    `The tables of the database belong to the superuser ${owner.rolname}, and the role of DATABASE_URL may not change ` +
      'them. Give them to that role (for a dump: pg_restore --no-owner --role=…), or use their owner.',
    { cause },
  );
}

/** The statements that grant the missing privileges. */
export async function missingRights(dataSource: DataSource): Promise<string[]> {
  const rows = await dataSource.query<{ statement: string }[]>(
    `WITH me AS (SELECT quote_ident(current_user) AS name), needed AS (SELECT unnest($1::text[]) AS role)
     SELECT format('GRANT CREATE ON DATABASE %I TO %s;', current_database(), me.name) AS statement FROM me
     WHERE NOT has_database_privilege(current_database(), 'CREATE')
     UNION ALL
     SELECT format('GRANT CREATE ON SCHEMA public TO %s;', me.name) FROM me
     WHERE NOT has_schema_privilege(to_regnamespace('public'), 'CREATE')
     UNION ALL
     SELECT format('GRANT %I TO %s;', owner.rolname, me.name) FROM me, (${OWNER}) AS owner WHERE NOT owner."isMine"
     UNION ALL
     SELECT format('CREATE ROLE %I NOLOGIN;', needed.role) FROM needed
     WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = needed.role)
     UNION ALL
     SELECT format('GRANT %I TO %s;', needed.role, me.name) FROM me, needed
     WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = needed.role AND pg_has_role(current_user, oid,
       CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END))`,
    [[TENANT_ROLE, SYSTEM_ROLE]],
  );
  return rows.map(({ statement }) => statement);
}
