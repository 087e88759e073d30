import { finish, reasoning, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { templateVariables } from '../../src/companies/assistants/prompt-template.js';
import { newId } from '../../src/common/ids.js';
import { untilWaiting } from './approval-view.js';
import { processed, upload } from './document-view.js';
import { ServerOfToday } from './mcp-today.js';
import { skillMd, uploadPacks, zipOf } from './pack-uploads.js';
import { spokenIn } from './provider-request.js';
import { type AppOptions, startApp, type TestApp } from './start-app.js';
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
    private readonly mcpServer: ServerOfToday,
  ) {}

  static async start(options: AppOptions = {}): Promise<TwoCompanies> {
    // One that cannot be reached would be asked again and again, and its row would say when.
    const mcpServer = await ServerOfToday.start();
    const app = await startApp(reply, { OUTBOUND_ALLOW: mcpServer.host }, options);
    const [our, their] = [await app.company(), await app.company()];
    const ada = await app.client({ company: our, sub: 'ada' });
    const abel = await app.client({ company: our, sub: 'abel' });
    const awa = await app.client({ company: our, sub: 'awa', role: 'MEMBER' });
    const bob = await app.client({ company: their, sub: 'bob' });
    const olga = await app.client({ company: their, sub: 'olga', role: 'OPERATOR' });
    const [ours, theirs] = [await fill(app, ada, mcpServer), await fill(app, bob, mcpServer)];
    for (const idle of [abel, awa, olga]) await idle.get('{ viewer { id } }');
    return new TwoCompanies(
      app,
      ours,
      theirs,
      await readTables(app),
      { ada, abel, awa, bob, olga },
      mcpServer,
    );
  }

  rowsOf(companyId: string, { name }: Table): Promise<Row[]> {
    return this.app.database.transaction(companyId, async (tx) => {
      const rows = await tx.query<{ row: Row }>(`SELECT to_jsonb(t) AS row FROM ${name} t ORDER BY t::text`);
      return rows.map(({ row }) => row);
    });
  }

  /** Every row of the company, table by table. */
  everything(companyId: string): Promise<Row[][]> {
    const rows = this.tables.map(
      ({ name }, index) => `SELECT ${index} AS "table", to_jsonb(t) AS row FROM ${name} t`,
    );
    return this.app.database.transaction(companyId, async (tx) => {
      const all = await tx.query<{ table: number; row: Row }>(
        `SELECT * FROM (${rows.join(' UNION ALL ')}) AS rows ORDER BY "table", row`,
      );
      const byTable = Map.groupBy(all, ({ table }) => table);
      return this.tables.map((_, index) => (byTable.get(index) ?? []).map(({ row }) => row));
    });
  }

  /** Every id among those rows, by table. */
  idsIn(everything: readonly Row[][]): { table: string; id: string }[] {
    return this.tables.flatMap(({ name }, index) =>
      (everything[index] ?? []).flatMap(({ id }) => (typeof id === 'string' ? [{ table: name, id }] : [])),
    );
  }

  /** The keys that anything among those rows has. */
  keysIn(everything: readonly Row[][]): Set<string> {
    return new Set(everything.flat().flatMap(({ key }) => (typeof key === 'string' ? [key] : [])));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app[Symbol.asyncDispose]();
    await this.mcpServer[Symbol.asyncDispose]();
  }
}

function reply(request: JsonObject): ProviderReply {
  const last = spokenIn(request).at(-1) ?? '';
  if (last.startsWith('tool:')) return [text('Vous êtes à Dakar.'), finish()];
  if (last.endsWith(CHANGE)) {
    return [reasoning('À Thiès.'), toolCall('update_company_profile', { city: 'Thiès' }), finish()];
  }
  return [toolCall('get_company_profile', {}), finish()];
}

/** Does everything that leaves a row, so that every table holds something of the company. Gives the company's id. */
async function fill(app: TestApp, client: TestClient, mcpServer: ServerOfToday): Promise<string> {
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
       remember(input: { kind: PROJECT, subject: "Baobab", content: "Un verger." }) { id }
       publishPrompt(assistantKey: "mefali", template: $template) { version }
       all: setQuota(input: { subject: COMPANY, period: MONTH, maxTokens: 1000000 }) { period }
       createApiKey(input: { name: "CRM" }) { secret }
       createWebhook(input: { url: "https://hooks.invalid/", kinds: ["DOCUMENT_ANALYSED"] }) { secret }
       setProvider(input: { key: "ours", baseUrl: "https://models.invalid/v1", apiKey: "sk-a-secret" }) { id }
       createSchedule(input: { assistantKey: "mefali", message: "Quoi de neuf ?", when: { cron: "@yearly" } }) { id }
       own: setQuota(input: { subject: MEMBER, memberId: $memberId, period: DAY, maxTokens: 1000000 }) { period }
     }`,
    {
      // By what it says, the company can be told in what anybody is shown.
      template: `${viewer.company.id} ${templateVariables.map((name) => `{${name}}`).join(' ')}`,
      memberId: viewer.id,
    },
  );
  await bringSkills(client, mcpServer);
  await processed(client, await upload(client, 'rapport.md', '# Rapport\n\nLe verger est à Dakar.'));
  await app.database.transaction(viewer.company.id, (tx) =>
    tx.query(
      `INSERT INTO stored_file (company_id, id, member_id, kind, name, media_type, bytes, sha256, storage_key)
       VALUES ($1, $2, $3, 'REPORT', 'rapport.pdf', 'application/pdf', 3, '', 'rapport')`,
      [viewer.company.id, newId(), viewer.id],
    ),
  );
  await app.database.transaction(viewer.company.id, (tx) =>
    tx.query(
      `INSERT INTO skill_record (company_id, id, kind, subject, version, title, content, sources, member_id,
         conversation_id, call_id)
       VALUES ($1, $2, 'footprint', '2025', 1, '12 tCO2e', '{}', '[]', $3, $2, $2)`,
      [viewer.company.id, newId(), viewer.id],
    ),
  );
  await app.database.transaction(viewer.company.id, (tx) =>
    tx.query(
      `WITH run AS (
         INSERT INTO schedule_run (company_id, id, schedule_id, due_at, outcome, reason, turn_id)
         SELECT company_id, id, id, now(), 'STARTED', 'Un verger.', $1 FROM schedule)
       UPDATE schedule SET last_turn_id = $1`,
      [turnId],
    ),
  );
  // As an edited question and a longer conversation would leave them.
  await app.database.transaction(viewer.company.id, (tx) =>
    tx.query(
      `WITH branch AS (
         INSERT INTO conversation_branch (company_id, id, conversation_id, shown_until)
         SELECT company_id, id, id, 'ffffffff-ffff-ffff-ffff-ffffffffffff' FROM conversation)
       INSERT INTO conversation_summary (company_id, branch_id, until_id, conversation_id, text)
       SELECT company_id, branch_id, id, conversation_id, 'Un verger.' FROM message WHERE role = 'ASSISTANT'`,
    ),
  );
  // Lists are made of more than this little.
  await app.database.transaction(viewer.company.id, (tx) =>
    tx.query(
      `WITH list AS (
         INSERT INTO search_list (company_id, scope_id, term, df, first_ordinal, data)
         SELECT company_id, id, 1, 1, 1, ''::bytea FROM search_scope RETURNING *),
       block AS (
         INSERT INTO search_list_block (company_id, scope_id, first_term, data)
         SELECT company_id, scope_id, term, data FROM list)
       INSERT INTO search_list_part (company_id, scope_id, term, first_ordinal, data)
       SELECT company_id, scope_id, term, first_ordinal, data FROM list`,
    ),
  );
  // One that no job is in line for: it would be gone at any moment.
  await app.database.transaction(viewer.company.id, (tx) =>
    tx.query(
      `INSERT INTO erasure (company_id, id, owner_id, texts, short_texts, since)
       VALUES ($1, $2, $3, '{}', '{}', now())`,
      [viewer.company.id, newId(), viewer.id],
    ),
  );
  // As models would have made it, who are not asked for it here.
  await app.database.transaction(viewer.company.id, (tx) =>
    tx.query(
      `WITH analysis AS (
         INSERT INTO document_analysis (company_id, id, content_id, focus, language, status)
         SELECT company_id, $2, id, 'summary', 'fr', 'COMPLETED' FROM document_content RETURNING *),
       piece AS (
         INSERT INTO analysis_piece (company_id, analysis_id, level, ordinal, first_part, last_part)
         SELECT company_id, id, 0, 0, 0, 0 FROM analysis)
       INSERT INTO analysis_request (company_id, analysis_id, turn_id, member_id, assistant, document_name)
       SELECT $1, id, $3, $4, 'mefali', 'rapport.md' FROM analysis`,
      [viewer.company.id, newId(), turnId, viewer.id],
    ),
  );
  const { turnId: waiting } = await client.ask(CHANGE);
  await untilWaiting(client, waiting);
  // One that no job is in line for: what came of it would be noted at any moment.
  await app.database.transaction(viewer.company.id, (tx) =>
    tx.query(
      `INSERT INTO webhook_delivery (company_id, notification_id, webhook_id)
       SELECT webhook.company_id, notification.id, webhook.id FROM webhook, notification`,
    ),
  );
  return viewer.company.id;
}

/** Skills of the company's own, of each kind: under the same keys in all companies. */
async function bringSkills(client: TestClient, mcpServer: ServerOfToday): Promise<void> {
  const archive = { 'acta/SKILL.md': skillMd('acta', 'Levanta un acta.', 'Primero la fecha.') };
  await uploadPacks(client, await zipOf(archive));
  await client.get(
    `mutation ($item: RegisterHttpSkillInput!, $other: RegisterHttpSkillInput!, $server: RegisterMcpServerInput!) {
       item: registerHttpSkill(input: $item) { id }
       other: registerHttpSkill(input: $other) { id }
       registerMcpServer(input: $server) { id }
     }`,
    {
      item: ownSkill('get_item'),
      other: ownSkill('get_other'),
      server: { key: 'stock', url: mcpServer.url },
    },
  );
}

export function ownSkill(key: string): object {
  return {
    key,
    name: key,
    description: 'Gets an item.',
    method: 'GET',
    url: 'https://stock.invalid/items',
    parameters: { type: 'object', properties: {} },
  };
}

function readTables({ database }: TestApp): Promise<Table[]> {
  return database.systemTransaction((tx) =>
    tx.query<Table>(
      `SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS secured,
              (SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
               WHERE i.indrelid = c.oid AND i.indisprimary) AS owner
       FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname NOT IN ('migration', 'company_erasure')
         AND NOT c.relispartition
       ORDER BY c.relname`,
    ),
  );
}
