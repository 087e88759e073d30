import { templateVariables } from '../../src/assistants/prompt-template.js';
import { finish, text, toolCall } from '../../src/llm/scripted-chat-model.js';
import { untilWaiting } from './approval-view.js';
import { spokenIn } from './provider-request.js';
import { startApp, type TestApp } from './start-app.js';
import type { TestClient } from './test-client.js';

export interface Table {
  name: string;
  /** Row level security is in force, also for the table's owner. */
  secured: boolean;
  /** The column that says whose the row is: the first of the primary key. */
  owner: string;
}

export type Row = Record<string, unknown>;

export const QUESTION = 'Qui sommes-nous ?';
const CHANGE = 'Nous sommes à Thiès.';

interface People {
  /** An admin of ours, who has asked something. */
  ada: TestClient;
  /** Another one, who has not. */
  abel: TestClient;
  /** A member of ours, who has not either. */
  awa: TestClient;
  /** An admin of theirs, who has asked the same as Ada. */
  bob: TestClient;
  /** An operator among them. */
  olga: TestClient;
}

/** Two companies that do not know of each other, with something of each in every table. */
export class TwoCompanies implements AsyncDisposable {
  private constructor(
    readonly app: TestApp,
    /** By id. */
    readonly ours: string,
    readonly theirs: string,
    readonly tables: readonly Table[],
    readonly people: People,
  ) {}

  static async start(): Promise<TwoCompanies> {
    const app = await startApp((request) => {
      const last = spokenIn(request).at(-1) ?? '';
      if (last.startsWith('tool:')) return [text('Vous êtes à Dakar.'), finish()];
      if (last.endsWith(CHANGE)) return [toolCall('update_company_profile', { city: 'Thiès' }), finish()];
      return [toolCall('get_company_profile', {}), finish()];
    });
    const [our, their] = [await app.company(), await app.company()];
    const ada = await app.client({ company: our, sub: 'ada' });
    const abel = await app.client({ company: our, sub: 'abel' });
    const awa = await app.client({ company: our, sub: 'awa', role: 'MEMBER' });
    const bob = await app.client({ company: their, sub: 'bob' });
    const olga = await app.client({ company: their, sub: 'olga', role: 'OPERATOR' });
    const [ours, theirs] = [await fill(ada), await fill(bob)];
    for (const idle of [abel, awa, olga]) await idle.get('{ viewer { id } }');
    return new TwoCompanies(app, ours, theirs, await readTables(app), { ada, abel, awa, bob, olga });
  }

  rowsOf(companyId: string, { name }: Table): Promise<Row[]> {
    return this.app.database.transaction(companyId, async (tx) => {
      const rows = await tx.query<{ row: Row }>(`SELECT to_jsonb(t) AS row FROM ${name} t ORDER BY t::text`);
      return rows.map(({ row }) => row);
    });
  }

  everything(companyId: string): Promise<Row[][]> {
    return Promise.all(this.tables.map((table) => this.rowsOf(companyId, table)));
  }

  /** Every id that the company has rows of, by table. */
  async idsOf(companyId: string): Promise<{ table: string; id: string }[]> {
    const rows = await this.everything(companyId);
    return this.tables.flatMap(({ name }, index) =>
      (rows[index] ?? []).flatMap(({ id }) => (typeof id === 'string' ? [{ table: name, id }] : [])),
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.app[Symbol.asyncDispose]();
  }
}

/** Does everything that leaves a row, so that every table holds something of the company. Gives the company's id. */
const fill = async (client: TestClient): Promise<string> => {
  const { viewer } = await client.get<{ viewer: { id: string; company: { id: string } } }>(
    '{ viewer { id company { id } } }',
  );
  const { turnId } = await client.ask(QUESTION);
  await client.allEvents(turnId);
  await client.get(
    `mutation ($template: String!, $memberId: ID!) {
       setSkillActive(key: "calculate_carbon_footprint", active: false) { id }
       setSkillApproval(key: "update_company_profile", required: true) { id }
       updateCompany(input: { city: "Dakar" }) { id }
       publishPrompt(assistantKey: "mefali", template: $template) { version }
       all: setQuota(input: { subject: COMPANY, period: MONTH, maxTokens: 1000000 }) { period }
       own: setQuota(input: { subject: MEMBER, memberId: $memberId, period: DAY, maxTokens: 1000000 }) { period }
     }`,
    {
      // By what it says, the company can be told in what anybody is shown.
      template: `${viewer.company.id} ${templateVariables.map((name) => `{${name}}`).join(' ')}`,
      memberId: viewer.id,
    },
  );
  const { turnId: waiting } = await client.ask(CHANGE);
  await untilWaiting(client, waiting);
  return viewer.company.id;
};

const readTables = ({ database }: TestApp): Promise<Table[]> =>
  database.systemTransaction((tx) =>
    tx.query<Table>(
      `SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS secured,
              (SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
               WHERE i.indrelid = c.oid AND i.indisprimary) AS owner
       FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'migration'
         AND NOT c.relispartition
       ORDER BY c.relname`,
    ),
  );
