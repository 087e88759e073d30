import type { DataSource } from 'typeorm';

import { sqlStateOf } from './connection-failure.js';
import { SYSTEM_ROLE, TENANT_ROLE } from './roles.js';
import { UnusableDatabase } from './unusable-database.js';

const INSUFFICIENT_PRIVILEGE = '42501';

/** Runs `work`, which changes the schema; where the role lacks a right, rejects with what a superuser has to run. */
export const explainingPermissions = async (
  dataSource: DataSource,
  work: () => Promise<void>,
): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (sqlStateOf(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    const statements = await missingRights(dataSource);
    if (statements.length === 0) throw error;
    throw new UnusableDatabase(
      'The role of DATABASE_URL may not do what the database needs. Let a superuser run this in that database ' +
        `once, and start again:\n\n  ${statements.join('\n  ')}\n`,
      { cause: error },
    );
  }
};

/** As statements that would grant them. */
const missingRights = async (dataSource: DataSource): Promise<string[]> => {
  const rows = await dataSource.query<{ statement: string }[]>(
    `WITH me AS (SELECT quote_ident(current_user) AS name), needed AS (SELECT unnest($1::text[]) AS role)
     SELECT format('GRANT CREATE ON DATABASE %I TO %s;', current_database(), me.name) AS statement FROM me
     WHERE NOT has_database_privilege(current_database(), 'CREATE')
     UNION ALL
     SELECT format('GRANT CREATE ON SCHEMA public TO %s;', me.name) FROM me
     WHERE NOT has_schema_privilege(to_regnamespace('public'), 'CREATE')
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
};
