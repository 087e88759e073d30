import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

import { Webhook as Receiver } from 'standardwebhooks';
import { LocalSite } from '@palabre/outbound/local-site.double.js';

import { NotificationsService } from '../../src/companies/notifications/notifications.service.js';
import { encryptWebhook } from '../../src/companies/companies.jobs.js';
import { eventually } from '../harness/eventually.js';
import { inboxOf } from '../harness/inbox.js';
import { identityOf } from '../harness/notification-view.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import { tablesHolding } from '../harness/stored-anywhere.js';
import type { TestClient } from '../harness/test-client.js';

interface WebhookView {
  id: string;
  url: string;
  kinds: string[] | null;
  disabledAt: string | null;
  lastSuccessAt: string | null;
  lastFailure: string | null;
}

const FIELDS = 'id url kinds disabledAt lastSuccessAt lastFailure';
const CREATE = `mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { secret webhook { ${FIELDS} } } }`;
const DELETE = 'mutation ($id: ID!) { deleteWebhook(id: $id) }';
const SET = `mutation ($id: ID!, $active: Boolean!) { setWebhookActive(id: $id, active: $active) { ${FIELDS} } }`;
const TEST = 'mutation ($id: ID!) { testWebhook(id: $id) { status failure } }';
const LIST = `{ webhooks { ${FIELDS} } }`;

interface Delivery {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver that answers by turns, the last answer again and again. */
class Site {
  readonly got: Delivery[] = [];
  answers = [200];
  /** Those of /silent, which nobody has answered. */
  readonly silent: ServerResponse[] = [];
  private readonly arrivals = new EventTarget();

  readonly handle = (request: IncomingMessage, response: ServerResponse): void =>
    void this.take(request, response);

  async whenGot(count: number): Promise<Delivery[]> {
    while (this.got.length < count) await once(this.arrivals, 'arrival');
    return this.got;
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.got.push({ path: request.url ?? '', headers: request.headers, body: await textOf(request) });
    if (request.url === '/silent') {
      this.silent.push(response);
      return void this.arrivals.dispatchEvent(new Event('arrival'));
    }
    const status = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
    response.writeHead(status ?? 200, status === 302 ? { location: '/elsewhere' } : {}).end('thanks');
    this.arrivals.dispatchEvent(new Event('arrival'));
  }
}

let site: Site;
let server: LocalSite;
let app: TestApp;
let inbox: NotificationsService;
let company: string;
let companyId: string;
let admin: TestClient;
let memberId: string;

beforeAll(async () => {
  server = await LocalSite.start((request, response) => site.handle(request, response));
  app = await startApp([], { OUTBOUND_ALLOW: server.host });
  inbox = inboxOf(app.server.resources);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(async () => {
  site = new Site();
  await meet();
});

/** An admin and a member of another company than before. */
async function meet(): Promise<void> {
  company = await app.company();
  admin = await app.client({ company });
  ({ id: memberId, companyId } = await identityOf(await app.client({ company, sub: 'bea', role: 'MEMBER' })));
}

async function create(input: object = {}): Promise<{ secret: string; webhook: WebhookView }> {
  return (
    await admin.get<{ createWebhook: { secret: string; webhook: WebhookView } }>(CREATE, {
      input: { url: `${server.url}/hook`, ...input },
    })
  ).createWebhook;
}
async function list(client = admin): Promise<WebhookView[]> {
  return (await client.get<{ webhooks: WebhookView[] }>(LIST)).webhooks;
}
function add(title: string, kind: 'TURN_COMPLETED' | 'TURN_FAILED' = 'TURN_COMPLETED'): Promise<void> {
  return app.database.transaction(companyId, (tx) =>
    inbox.add(tx, { memberId, kind, title, body: 'What was said in confidence.', turnId: null }),
  );
}
function titlesOf(deliveries: readonly Delivery[]): string[] {
  return deliveries.map(
    ({ body }) => (JSON.parse(body) as { data: { notification: { title: string } } }).data.notification.title,
  );
}

it('tells of a notification, signed, in the order they came, and nothing of what was said', async () => {
  const { secret, webhook } = await create();
  expect(webhook).toMatchObject({ kinds: null, disabledAt: null, lastSuccessAt: null, lastFailure: null });
  await add('first');
  await add('second');
  const deliveries = await site.whenGot(2);
  expect(titlesOf(deliveries)).toEqual(['first', 'second']);
  for (const { headers, body } of deliveries) {
    const receiver = new Receiver(secret);
    expect(receiver.verify(body, headers as Record<string, string>)).toEqual({
      type: 'notification.added',
      timestamp: expect.stringMatching(/^20.*Z$/),
      data: {
        notification: {
          id: headers['webhook-id'],
          kind: 'TURN_COMPLETED',
          title: expect.any(String),
          turnId: null,
        },
        member: { id: memberId, subject: 'bea', name: 'bea', email: null },
      },
    });
    expect(() => receiver.verify(`${body} `, headers as Record<string, string>)).toThrow();
    expect(body).not.toContain('confidence');
  }
  await eventually(list, ([one]) => one?.lastSuccessAt !== null);
  expect(await tablesHolding(app.database, secret)).toEqual([]);
});

it('tells one thing at a time, however slow the receiver is', async () => {
  const { webhook } = await create({ url: `${server.url}/silent` });
  await add('first');
  await site.whenGot(1);
  await add('second');
  // Another run has found that something is being sent.
  await eventually(
    () =>
      app.database.dataSource.query<object[]>(
        `SELECT FROM pgboss.job WHERE name = 'deliver-webhook' AND state = 'created' AND start_after > now()
           AND data ->> 'webhookId' = $1`,
        [webhook.id],
      ),
    ({ length }) => length === 1,
  );
  expect(site.got).toHaveLength(1);
  site.silent[0]?.end();
  expect(titlesOf(await site.whenGot(2))).toEqual(['first', 'second']);
  site.silent[1]?.end();
  await eventually(
    () => app.database.transaction(companyId, (tx) => tx.query('SELECT FROM webhook_delivery')),
    ({ length }) => length === 0,
  );
  expect(site.got).toHaveLength(2);
});

it('keeps and shows no more of its address than where it is', async () => {
  const { webhook } = await create({ url: `${server.url}/hook/very-secret?token=as-well` });
  await add('first');
  const [delivery] = await site.whenGot(1);
  expect(delivery?.path).toBe('/hook/very-secret?token=as-well');
  expect(webhook.url).toBe(server.url);
  expect((await list())[0]?.url).toBe(server.url);
  await admin.get('mutation ($id: ID!) { deleteWebhook(id: $id) }', { id: webhook.id });
  expect(await tablesHolding(app.database, 'very-secret')).toEqual([]);
  const audited = await admin.get('{ auditEntries(first: 2) { edges { node { action details } } } }');
  expect(JSON.stringify(audited)).toContain(server.url);
});

it('is encrypted where an earlier version has kept its address in the clear', async () => {
  const { webhook } = await create();
  await app.database.transaction(companyId, (tx) =>
    tx.query(`UPDATE webhook SET url = $1, origin = ''`, [`${server.url}/of-old`]),
  );
  await add('first');
  expect((await site.whenGot(1))[0]?.path).toBe('/of-old');
  const { jobs } = app.server.resources;
  const named = { companyId, webhookId: webhook.id };
  await app.database.transaction(companyId, (tx) => jobs.enqueue(tx, encryptWebhook, named));
  await eventually(list, ([one]) => one?.url === server.url);
  expect(await tablesHolding(app.database, 'of-old')).toEqual([]);
  await add('second');
  expect((await site.whenGot(2))[1]?.path).toBe('/of-old');
});

it('tells of the kinds that it is to be told of', async () => {
  await create({ kinds: ['TURN_FAILED'] });
  await add('answered');
  await add('failed', 'TURN_FAILED');
  expect(titlesOf(await site.whenGot(1))).toEqual(['failed']);
});

it('tries again what was not taken, under the same id', async () => {
  site.answers = [500, 200];
  await create();
  await add('first');
  const [one, two] = await site.whenGot(2);
  expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id']);
  expect(two?.body).toBe(one?.body);
  const [webhook] = await eventually(list, ([each]) => each?.lastSuccessAt !== null);
  expect(webhook).toMatchObject({ lastFailure: 'It answered with status 500.', disabledAt: null });
});

it.each([
  ['the receiver says that it is gone', 410, 0],
  ['nobody has taken anything for a day and a half', 503, 8],
])('is told no more when %s', async (_, answer, tries) => {
  site.answers = [answer];
  const { webhook } = await create();
  await app.database.transaction(companyId, async (tx) => {
    await inbox.add(tx, { memberId, kind: 'TURN_COMPLETED', title: 'late', body: '', turnId: null });
    await tx.query('UPDATE webhook_delivery SET tries = $2 WHERE company_id = $1', [companyId, tries]);
  });
  const [off] = await eventually(list, ([each]) => each?.disabledAt !== null);
  expect(off?.lastFailure).toBe(`It answered with status ${answer}.`);
  await add('unheard');
  site.answers = [200];
  expect(await admin.get(SET, { id: webhook.id, active: true })).toMatchObject({
    setWebhookActive: { disabledAt: null },
  });
  await add('heard');
  expect(titlesOf(await site.whenGot(2))).toEqual(['late', 'heard']);
});

it('is tried out at once, and says why it fails', async () => {
  const { webhook } = await create();
  const test = () => admin.get(TEST, { id: webhook.id });
  expect(await test()).toEqual({ testWebhook: { status: 200, failure: null } });
  expect(JSON.parse(site.got[0]?.body ?? '')).toMatchObject({ type: 'ping', data: {} });
  site.answers = [302];
  expect(await test()).toMatchObject({ testWebhook: { failure: expect.any(String) } });
  expect(site.got).toHaveLength(2);
  const { webhook: inside } = await create({ url: 'http://10.0.0.1/hook' });
  expect(await admin.get(TEST, { id: inside.id })).toEqual({
    testWebhook: { status: null, failure: expect.stringContaining('may not be reached') },
  });
});

it.each([
  ['no address', { url: 'hook' }],
  ['another protocol', { url: 'ftp://example.org/' }],
  ['a password in the address', { url: 'https://a:b@example.org/' }],
  ['an unknown kind', { kinds: ['NOTHING'] }],
  ['no kind at all', { kinds: [] }],
])('is not made with %s', async (_, input) => {
  expect(await admin.codes(CREATE, { input: { url: server.url, ...input } })).toEqual(['BAD_USER_INPUT']);
  expect(await list()).toEqual([]);
});

it('is not made with more kinds than there may be, which are told', async () => {
  const input = { url: server.url, kinds: Array<string>(101).fill('TURN_FAILED') };
  expect(await admin.send(CREATE, { input })).toMatchObject({
    errors: [{ message: expect.stringContaining('100'), extensions: { path: ['input', 'kinds'] } }],
  });
});

it('is told while that of another company does not answer', async () => {
  await create({ url: `${server.url}/silent` });
  await add('theirs');
  await site.whenGot(1);
  await meet();
  await create();
  await add('ours');
  expect(titlesOf(await site.whenGot(2))).toEqual(['theirs', 'ours']);
  const [silent] = site.silent;
  expect(silent?.destroyed).toBe(false);
  silent?.end();
});

it('is for admins of its company alone', async () => {
  const { webhook } = await create();
  const member = await app.client({ company, sub: 'bea', role: 'MEMBER' });
  const stranger = await app.client({ company: await app.company() });
  for (const operation of [DELETE, TEST]) {
    expect(await member.codes(operation, { id: webhook.id })).toEqual(['FORBIDDEN']);
    expect(await stranger.codes(operation, { id: webhook.id })).toEqual(['NOT_FOUND']);
  }
  expect(await member.codes(LIST)).toEqual(['FORBIDDEN']);
  expect(await list(stranger)).toEqual([]);
  expect(await admin.get(DELETE, { id: webhook.id })).toEqual({ deleteWebhook: webhook.id });
  expect(await list()).toEqual([]);
  const { auditEntries } = await admin.get<{ auditEntries: { edges: { node: { action: string } }[] } }>(
    '{ auditEntries { edges { node { action } } } }',
  );
  expect(auditEntries.edges.map(({ node }) => node.action)).toEqual(['webhook.deleted', 'webhook.created']);
});
