import {
  type ScriptedProvider,
  startScriptedProvider,
} from '@palabre/llm-client/scripted-provider.double.js';

import { signToken } from '../../src/companies/auth/token-signer.js';
import { newId } from '../../src/common/ids.js';
import { createLogger } from '../../src/common/process/logger.js';
import { readConfig } from '../../src/common/config/read-config.js';
import { type Server, startServer } from '../../src/app/server.js';
import {
  follow,
  identityOf,
  notificationsOf,
  type NotificationView,
  take,
  titlesOf,
} from '../harness/notification-view.js';
import { IMPORT } from '../harness/api-operations.js';
import {
  ANY_CHANGED,
  DELETED,
  followChanges,
  type ListedView,
  nextThat,
  ONE_CHANGED,
} from '../harness/conversation-changes.js';
import { inboxOf } from '../harness/inbox.js';
import { SECRET } from '../harness/start-app.js';
import { TestClient } from '../harness/test-client.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';
import { untilBlocked } from '../harness/until-blocked.js';

const onServer = testDatabaseUrl === null ? describe.skip : describe;

afterEach(() => void vi.restoreAllMocks());

onServer('notifications on several replicas', () => {
  let testDatabase: TestDatabase;
  let provider: ScriptedProvider;
  let servers: Server[];
  const clients: TestClient[] = [];

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    provider = await startScriptedProvider([]);
    const config = readConfig({
      PORT: '0',
      DATABASE_URL: testDatabase.location.database.url ?? '',
      AUTH_SECRET: SECRET,
      LLM_BASE_URL: provider.baseUrl,
      LLM_MODEL: 'scripted',
    });
    const logger = createLogger({ level: 'silent', pretty: false });
    servers = [await startServer(config, logger), await startServer(config, logger)];
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    for (const server of servers) await server.close();
    await provider.close();
    await testDatabase[Symbol.asyncDispose]();
  });

  /** The same member at each replica. */
  const member = async () => {
    const sub = newId();
    const token = await signToken(SECRET, { sub, company: 'demo', role: 'MEMBER', name: 'Ada' }, 3600);
    const [here, there] = servers.map(({ url }) => new TestClient(url, token));
    clients.push(here!, there!);
    const { id: memberId, companyId } = await identityOf(here!);
    /** Commits once `beforeCommit`, which is called when it is stored, says so. */
    const add = async (
      replica: number,
      title: string,
      beforeCommit: () => Promise<void> | void = () => undefined,
    ): Promise<void> => {
      const { resources } = servers[replica]!;
      const inbox = inboxOf(resources);
      await resources.database.transaction(companyId, async (tx) => {
        await inbox.add(tx, { memberId, kind: 'TURN_COMPLETED', title, body: '', turnId: null });
        await beforeCommit();
      });
    };
    return { here: here!, there: there!, add };
  };

  const sql = (query: string): Promise<{ count: string }[]> =>
    servers[0]!.resources.database.dataSource.query(query);

  it('tell what is stored at any of them, once and in one order', async () => {
    const { here, there, add } = await member();
    const [toldHere, toldThere] = [await follow(here), await follow(there)];
    await Promise.all(Array.from({ length: 40 }, (_, index) => add(index % 2, String(index))));
    const [seenHere, seenThere] = [await take(toldHere, 40), await take(toldThere, 40)];
    expect(seenThere).toEqual(seenHere);
    expect(seenHere.map(({ title }) => title).toReversed()).toEqual(
      titlesOf(await notificationsOf(there, { first: 100 })),
    );
    await add(0, 'last');
    for (const told of [toldHere, toldThere]) {
      expect(await take(told, 1)).toMatchObject([{ title: 'last' }]);
      await told.return();
    }
  });

  it('tell whoever comes back what was stored meanwhile at another one, then go on', async () => {
    const { here, there, add } = await member();
    const first = await follow(here);
    await add(1, 'seen');
    const [{ id }] = (await take(first, 1)) as [NotificationView];
    await first.return();
    await add(1, 'meanwhile');
    const second = await follow(there, id);
    await add(0, 'live');
    expect((await take(second, 2)).map(({ title }) => title)).toEqual(['meanwhile', 'live']);
    await second.return();
  });

  it('lose nothing to a transaction that takes longer than one that began after it', async () => {
    const { there, add } = await member();
    const told = await follow(there);
    const [stored, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = add(0, 'slow', () => {
      stored.resolve();
      return opened.promise;
    });
    await stored.promise;
    const quick = add(1, 'quick');
    // It ends before the first one does, or waits for it.
    await Promise.race([quick, untilBlocked(servers[0]!.resources.database)]);
    opened.resolve();
    await Promise.all([slow, quick]);
    expect((await take(told, 2)).map(({ title }) => title)).toEqual(
      titlesOf(await notificationsOf(there)).toReversed(),
    );
    await told.return();
  });

  it('tell of changed and deleted conversations at another one', async () => {
    const { here, there } = await member();
    const { importConversation } = await here.get<{ importConversation: { id: string } }>(IMPORT);
    const { id } = importConversation;
    const any = await followChanges<ListedView>(there, ANY_CHANGED);
    const one = await followChanges<ListedView>(there, ONE_CHANGED, { id });
    const deleted = await followChanges<string>(there, DELETED);
    await here.get('mutation ($id: ID!) { updateConversation(input: { id: $id, pinned: true }) { id } }', {
      id,
    });
    for (const told of [any, one]) await nextThat(told, (changed) => changed.id === id && changed.pinned);
    // Hints were lost meanwhile: what may have changed is told again.
    await sql(
      `SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'palabre listen'`,
    );
    await here.get('mutation ($id: ID!) { updateConversation(input: { id: $id, title: "Autre" }) { id } }', {
      id,
    });
    for (const told of [any, one]) await nextThat(told, (changed) => changed.title === 'Autre');
    await here.get('mutation ($id: ID!) { deleteConversation(id: $id) }', { id });
    expect((await deleted.next()).value).toBe(id);
    for await (const changed of one) expect(changed.id).toBe(id);
    await Promise.all([any.return(), deleted.return()]);
  });

  it('lose nothing to a listening connection that ends, and tell nothing twice', async () => {
    const { there, add } = await member();
    const told = await follow(there);
    const seen: NotificationView[] = [];
    for (let round = 0; round < 5; round += 1) {
      await sql(
        `SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'palabre listen'`,
      );
      await Promise.all([add(0, `${round} here`), add(0, `${round} again`), add(1, `${round} there`)]);
      seen.push(...(await take(told, 3)));
    }
    expect(seen.map(({ id }) => id)).toEqual(
      (await notificationsOf(there, { first: 100 })).edges.map(({ node }) => node.id).toReversed(),
    );
    await told.return();
  });
});
