import { newId } from '../../src/common/ids.js';
import { untilWaiting } from './approval-view.js';
import { IMPORT } from './api-operations.js';
import type { ObjectKind } from './authorisation-lines.js';
import { announce, type DocumentUploadAnswer, sendBytes } from './document-view.js';
import { inboxOf } from './inbox.js';
import { identityOf } from './notification-view.js';
import type { TestApp } from './start-app.js';
import type { TestClient } from './test-client.js';

/** A question that the matrix's model answers by a call of a skill that has to be allowed. */
export const CHANGE = 'Nous sommes à Thiès.';

type SentUpload = Pick<DocumentUploadAnswer, 'url' | 'method' | 'headers'>;

interface Maker {
  client: TestClient;
  id: string;
  companyId: string;
  company: string;
}

/** Which kinds are nobody's own, but the company's. */
const ofTheCompany: ReadonlySet<ObjectKind> = new Set<ObjectKind>([
  'apiKey',
  'assistant',
  'auditEntry',
  'company',
  'mcpServer',
  'member',
  'provider',
  'skill',
  'skillRecord',
  'webhook',
]);

/** Makes objects of every kind for an admin of a company, and gives them to others of it. */
export class AuthorisationObjects {
  /** Of those that are only ever looked for in vain. */
  private readonly kept = new Map<ObjectKind, string>();

  private constructor(
    private readonly app: TestApp,
    private readonly maker: Maker,
  ) {}

  static async of(app: TestApp, company: string): Promise<AuthorisationObjects> {
    const client = await app.client({ company, sub: 'maker' });
    return new AuthorisationObjects(app, { client, company, ...(await identityOf(client)) });
  }

  isOfTheCompany(kind: ObjectKind): boolean {
    return ofTheCompany.has(kind);
  }

  /** One of the maker's that is there already, or a new one. */
  async any(kind: ObjectKind): Promise<string> {
    const id = this.kept.get(kind) ?? (await this.make(kind));
    this.kept.set(kind, id);
    return id;
  }

  /** A new one of the member's. */
  async makeFor(kind: ObjectKind, memberId: string): Promise<string> {
    const id = await this.make(kind);
    if (!this.isOfTheCompany(kind)) await this.give(kind, id, memberId);
    return id;
  }

  /** A new one of the maker's. */
  async make(kind: ObjectKind): Promise<string> {
    const { client, companyId, company, id: makerId } = this.maker;
    switch (kind) {
      case 'apiKey':
        return this.idOf('mutation { made: createApiKey(input: { name: "CRM" }) { apiKey { id } } }');
      case 'approval': {
        await client.get(`mutation { setSkillApproval(
          key: "update_company_profile", required: true, askerMayApprove: true) { id } }`);
        const { turnId } = await client.ask(CHANGE);
        return (await untilWaiting(client, turnId))[0]!.id;
      }
      case 'clientSkillCall':
        return this.askedFor('CLIENT_SKILL');
      case 'mcpInput':
        return this.askedFor('MCP_INPUT');
      case 'question':
        return this.askedFor('QUESTION');
      case 'assistant':
        return this.idOf('{ made: assistant(key: "mefali") { id } }');
      case 'attachment': {
        const input = { name: 'a.txt', mediaType: 'text/plain', bytes: 3 };
        const { made } = await client.get<{ made: { attachment: { id: string } } & SentUpload }>(
          `mutation ($input: CreateAttachmentUploadInput!) {
             made: createAttachmentUpload(input: $input) { attachment { id } url method headers } }`,
          { input },
        );
        await sendBytes(client, made, 'Un.');
        return made.attachment.id;
      }
      case 'auditEntry':
        await client.get('mutation { updateCompany(input: { city: "Dakar" }) { id } }');
        return this.idOf('{ made: auditEntries(first: 1) { edges { node { id } } } }');
      case 'company':
        return companyId;
      case 'conversation':
        return this.idOf(IMPORT.replace('importConversation', 'made: importConversation'));
      case 'document':
        return (await announce(client, { bytes: 10 })).document.id;
      case 'file':
        return this.insertFile();
      case 'mcpServer':
        return this.idOf(
          `mutation { made: registerMcpServer(input: { key: "m${newId().slice(-12)}", url: "https://new.invalid/mcp" }) { id } }`,
        );
      case 'member':
        return (await identityOf(await this.app.client({ company, sub: newId(), role: 'MEMBER' }))).id;
      case 'memory':
        return this.idOf(
          `mutation { made: remember(input: { kind: PROJECT, subject: "${newId()}", content: "Un verger." }) { id } }`,
        );
      case 'message': {
        const conversation = await this.make('conversation');
        return this.idOf(
          `{ made: conversation(id: "${conversation}") { messages(first: 1) { edges { node { id } } } } }`,
        );
      }
      case 'notification':
        return this.notify(makerId);
      case 'provider':
        return this.idOf(
          'mutation { made: setProvider(input: { key: "ours", baseUrl: "https://models.invalid/v1" }) { id } }',
        );
      case 'schedule':
        return this.idOf(
          'mutation { made: createSchedule(input: { assistantKey: "mefali", message: "Bonjour", when: { cron: "@yearly" } }) { id } }',
        );
      case 'skill':
        return this.idOf('{ made: skills { id } }');
      case 'skillRecord':
        return this.insertRecord();
      case 'turn': {
        const { turnId } = await client.ask('Bonjour');
        await client.allEvents(turnId);
        return turnId;
      }
      case 'webhook':
        return this.idOf(
          'mutation { made: createWebhook(input: { url: "https://hooks.invalid/" }) { webhook { id } } }',
        );
    }
  }

  async notify(memberId: string): Promise<string> {
    const inbox = inboxOf(this.app.server.resources);
    const kind = 'TURN_COMPLETED' as const;
    const title = newId();
    await this.app.database.transaction(this.maker.companyId, (tx) =>
      inbox.add(tx, { memberId, kind, title, body: 'Prêt.', turnId: null }),
    );
    const [row] = await this.query<{ id: string }>('SELECT id FROM notification WHERE title = $1', [title]);
    return row!.id;
  }

  private async give(kind: ObjectKind, id: string, memberId: string): Promise<void> {
    const turn = `(SELECT turn_id FROM pending_input WHERE id = $1 UNION ALL SELECT id FROM turn WHERE id = $1)`;
    const conversation = `(SELECT conversation_id FROM message WHERE id = $1
      UNION ALL SELECT conversation_id FROM turn WHERE id IN ${turn} UNION ALL SELECT $1)`;
    const owners: Partial<Record<ObjectKind, string[]>> = {
      approval: ['pending_input'],
      clientSkillCall: ['pending_input'],
      document: ['document'],
      file: ['stored_file'],
      mcpInput: ['pending_input'],
      notification: ['notification'],
      question: ['pending_input'],
      schedule: ['schedule'],
    };
    if (kind === 'memory') {
      await this.query('UPDATE memory SET owner_id = $2 WHERE id = $1', [id, memberId]);
      return;
    }
    if (kind === 'attachment') {
      await this.query('UPDATE document SET member_id = $2 WHERE attachment_id = $1', [id, memberId]);
    }
    for (const table of owners[kind] ?? []) {
      await this.query(`UPDATE ${table} SET member_id = $2 WHERE id = $1`, [id, memberId]);
    }
    await this.query(`UPDATE conversation SET member_id = $2 WHERE id IN ${conversation}`, [id, memberId]);
    await this.query(`UPDATE turn SET member_id = $2 WHERE id IN ${turn}`, [id, memberId]);
  }

  /** What is asked for is of another kind than what the model wanted. */
  private async askedFor(kind: string): Promise<string> {
    const id = await this.make('approval');
    await this.query('UPDATE pending_input SET kind = $2 WHERE id = $1', [id, kind]);
    return id;
  }

  private async insertFile(): Promise<string> {
    const id = newId();
    await this.query(
      `INSERT INTO stored_file (company_id, id, member_id, kind, name, media_type, bytes, sha256, storage_key)
       VALUES ($1, $2, $3, 'REPORT', 'rapport.pdf', 'application/pdf', 3, '', 'rapport')`,
      [this.maker.companyId, id, this.maker.id],
    );
    return id;
  }

  private async insertRecord(): Promise<string> {
    const id = newId();
    await this.query(
      `INSERT INTO skill_record (company_id, id, kind, subject, version, title, content, sources, member_id,
         conversation_id, call_id)
       VALUES ($1, $2, 'footprint', $4, 1, '12 tCO2e', '{}', '[]', $3, $2, $2)`,
      [this.maker.companyId, id, this.maker.id, id],
    );
    return id;
  }

  /** The first id in an answer. */
  private async idOf(operation: string): Promise<string> {
    const answer = JSON.stringify(await this.maker.client.get(operation));
    const id = /"id":"([^"]+)"/.exec(answer)?.[1];
    if (id === undefined) throw new Error(answer);
    return id;
  }

  private query<Row extends object>(sql: string, parameters: unknown[]): Promise<Row[]> {
    return this.app.database.transaction(this.maker.companyId, (tx) => tx.query<Row>(sql, parameters));
  }
}
