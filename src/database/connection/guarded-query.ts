import pg from 'pg';

import { REFUSE_READ_ONLY } from '../connection-failure.js';
import { COMPANY_SETTING } from '../schema/roles.js';

const GUARD = 'palabre_guard';

/**
 * What servers, databases and roles may have other defaults for. Dates are read as ISO ones; transactions that meet at a
 * row wait for each other, instead of failing; and the tables are in `public`, which stays first whatever else there is,
 * such as a schema for extensions.
 */
const SESSION_SETTINGS = `SET datestyle = 'ISO';
    SET intervalstyle = 'postgres';
    SET default_transaction_isolation = 'read committed';
    SELECT set_config('search_path', concat_ws(', ', 'public', nullif(current_setting('search_path'), '')), false)`;

/**
 * Readies a new connection for us and for `guardedQuery`: every connection of the pool needs it once. Rejects where
 * nothing may be written: after a failover an address leads to the old primary for a while, and a connection kept from
 * then would stay there.
 */
export const prepareConnection = async (client: pg.ClientBase): Promise<void> => {
  // The guard fails unless the setting is a company's id, as it is between a transaction's opening and its end, and
  // only then.
  await client.query(`${REFUSE_READ_ONLY};
    ${SESSION_SETTINGS};
    PREPARE ${GUARD} AS SELECT WHERE current_setting('${COMPANY_SETTING}')::uuid IS NULL`);
};

/**
 * Sends a statement behind an opening (BEGIN, role, company) whose answer has not come yet. Had the opening failed,
 * the server would run the statement by itself and under the login role; so a guard goes ahead of it, and what
 * follows a failure is skipped up to the next Sync
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING).
 */
export const guardedQuery = (
  client: pg.ClientBase,
  { text, values = [], name }: pg.QueryConfig,
): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    const isPlain = values.length === 0;
    // Without values there is no Sync in between either: the server stops at the first statement that fails.
    const statement = isPlain
      ? { text: `EXECUTE ${GUARD}; ${text}` }
      : { text, values, ...(name ? { name } : {}) };
    const query = new pg.Query(statement, undefined, (error, results) => {
      if (error) reject(error);
      else resolve(withoutGuard(results));
    });
    if (!isPlain) goAhead(query);
    client.query(query);
  });

/** Has the guard's messages sent before those of `query`, with no Sync between them. */
const goAhead = (query: pg.Query): void => {
  const submit = query.submit;
  query.submit = (connection) => {
    connection.stream.cork();
    try {
      connection.bind({ statement: GUARD }, true);
      connection.execute({}, true);
      return submit.call(query, connection);
    } finally {
      connection.stream.uncork();
    }
  };
};

/** pg gives the results of several statements as an array, which its types do not know. */
const withoutGuard = (results: unknown): pg.QueryResult => {
  const [, ...own] = results as pg.QueryResult[];
  return (own.length === 1 ? own[0] : own) as pg.QueryResult;
};
