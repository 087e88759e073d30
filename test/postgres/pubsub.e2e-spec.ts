import pg from 'pg';

import { newId } from '../../src/common/ids.js';
import { createLogger } from '../../src/common/process/logger.js';
import type { Database } from '../../src/platform/database/database.js';
import { openDatabase, type OpenDatabase } from '../../src/platform/database/open-database.js';
import { PostgresPubSub } from '../../src/platform/pubsub/postgres-pub-sub.js';
import { PausableProxy } from '../harness/pausable-proxy.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';

const onServer = testDatabaseUrl === null ? describe.skip : describe;

const logger = createLogger({ level: 'silent', pretty: false });

/** Soon, for those who wait for it. */
const QUICK_CHECKS = { everyMs: 200, timeoutMs: 4_000 };
const IMPATIENT_CHECKS = { everyMs: 200, timeoutMs: 150 };

/** What a listener hears, to be awaited one by one. */
class Ear {
  readonly heard: string[] = [];
  private wake = (): void => undefined;

  readonly listen = (payload = ''): void => {
    this.heard.push(payload);
    this.wake();
  };

  /** Resolves as soon as `count` payloads have come. */
  async until(count: number): Promise<string[]> {
    while (this.heard.length < count) await new Promise<void>((resolve) => (this.wake = resolve));
    return this.heard;
  }
}

onServer('PostgresPubSub', () => {
  let testDatabase: TestDatabase;
  let opened: OpenDatabase;
  let database: Database;
  let url: string;
  let closing: (() => unknown)[];

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    opened = await openDatabase(testDatabase.location, []);
    ({ database } = opened);
    url = testDatabase.location.database.url ?? '';
  });

  afterAll(async () => {
    await opened.close();
    await testDatabase[Symbol.asyncDispose]();
  });

  beforeEach(() => void (closing = []));
  afterEach(async () => {
    for (const close of closing) await close();
  });

  const replica = async (at = url, checks?: typeof QUICK_CHECKS): Promise<PostgresPubSub> => {
    const pubSub = await PostgresPubSub.open(at, logger, checks);
    closing.push(() => pubSub.close());
    return pubSub;
  };

  const publish = (pubSub: PostgresPubSub, ...payloads: string[]): Promise<void> =>
    database.systemTransaction(async (tx) => {
      await Promise.all(payloads.map((payload) => pubSub.publish(tx, 'topic', payload)));
    });

  /** Two that have heard of each other. */
  const pair = async (at = url, checks?: typeof QUICK_CHECKS): Promise<[PostgresPubSub, PostgresPubSub]> => {
    const [one, other] = [await replica(), await replica(at, checks)];
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const ear = new Ear();
      const leave = to.subscribe('hello', ear.listen);
      while (ear.heard.length === 0)
        await database.systemTransaction((tx) => from.publishToOthers(tx, 'hello', ''));
      leave();
    }
    return [one, other];
  };

  /** Runs `work` while nobody can connect to the database and nobody listens to it. */
  const whileDeaf = async (pubSub: PostgresPubSub, work: () => Promise<void>): Promise<void> => {
    const admin = new pg.Client({ connectionString: testDatabaseUrl ?? undefined });
    await admin.connect();
    const name = new URL(url).pathname.slice(1);
    try {
      await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      const sql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = $1 AND application_name = 'palabre listen'`;
      await admin.query(sql, [name]);
      while (pubSub.listening.state === 'ok') await new Promise((resolve) => setImmediate(resolve));
      await work();
    } finally {
      await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      await admin.end();
    }
  };

  const listeningAgain = async (pubSub: PostgresPubSub): Promise<void> => {
    while (pubSub.listening.state === 'lost') await new Promise((resolve) => setImmediate(resolve));
  };

  it('tells every replica once, its own at once, and none when the transaction is rolled back', async () => {
    const [one, other] = await pair();
    const [own, far, elsewhere] = [new Ear(), new Ear(), new Ear()];
    one.subscribe('topic', own.listen);
    other.subscribe('topic', far.listen);
    other.subscribe('another', elsewhere.listen);
    const failed = database.systemTransaction(async (tx) => {
      await one.publish(tx, 'topic', 'never');
      throw new Error('of the work');
    });
    await expect(failed).rejects.toThrow('of the work');
    await publish(one, '{"a": 1}');
    expect(own.heard).toEqual(['{"a": 1}']);
    await far.until(1);
    // What would have come a second time, or ought not to come at all, would have come before this.
    await publish(other, 'back');
    expect(await own.until(2)).toEqual(['{"a": 1}', 'back']);
    expect(far.heard).toEqual(['{"a": 1}', 'back']);
    expect(elsewhere.heard).toEqual([]);
    expect(one.listening).toEqual({ state: 'ok' });
  });

  it('tells hints in the order of their commits, the largest too', async () => {
    const [one, other] = await pair();
    const far = new Ear();
    other.subscribe('topic', far.listen);
    const payloads = Array.from({ length: 300 }, (_, index) =>
      `${index} `.padEnd(1 + index * 20, '漢').slice(0, 2_300),
    );
    for (const payload of payloads) await publish(one, payload);
    expect(await far.until(payloads.length)).toEqual(payloads);
  });

  it('refuses a hint that does not fit, and nothing of its transaction is stored', async () => {
    const one = await replica();
    const own = new Ear();
    one.subscribe('topic', own.listen);
    await expect(publish(one, 'x'.repeat(7_001))).rejects.toThrow('7001 bytes');
    expect(own.heard).toEqual([]);
  });

  it('is not disturbed by what is no hint, nor by a listener that fails', async () => {
    const [one, other] = await pair();
    const far = new Ear();
    other.subscribe('topic', () => {
      throw new Error('of the listener');
    });
    other.subscribe('topic', far.listen);
    await database.dataSource.query(
      `SELECT pg_notify('palabre', v) FROM unnest(ARRAY['', 'x', 'a b', '{}']) AS v`,
    );
    await publish(one, 'hint');
    expect(await far.until(1)).toEqual(['hint']);
  });

  it('finds a lost connection again, and says that there was a gap', async () => {
    const [one, other] = await pair();
    const [far, gaps] = [new Ear(), new Ear()];
    other.subscribe('topic', far.listen);
    const leave = other.onGap(() => gaps.listen('gap'));
    await publish(one, 'before');
    await far.until(1);
    // The two may have told each other to look when they met.
    let toldBefore = 0;
    await whileDeaf(other, async () => {
      expect(other.listening).toEqual({ state: 'lost', forMs: expect.any(Number) });
      toldBefore = gaps.heard.length;
      await publish(one, 'meanwhile');
    });
    await listeningAgain(other);
    expect(gaps.heard.length).toBe(toldBefore + 1);
    // The first ones may not be sent: by then the two have to have met again.
    while (far.heard.length < 2) await publish(one, 'after');
    expect(new Set(far.heard)).toEqual(new Set(['before', 'after']));
    leave();
    const before = gaps.heard.length;
    await whileDeaf(other, async () => undefined);
    await listeningAgain(other);
    expect(gaps.heard).toHaveLength(before);
  });

  /** Publishes until that sends nothing, as nobody else is known to listen; then calls `work` before the commit. */
  const onceAlone = async (pubSub: PostgresPubSub, payload: string, work = async () => {}): Promise<void> => {
    const isAlone = await database.systemTransaction(async (tx) => {
      const query = vi.spyOn(tx, 'query');
      await pubSub.publishToOthers(tx, 'topic', payload);
      if (query.mock.calls.length > 0) return false;
      await work();
      return true;
    });
    if (!isAlone) await onceAlone(pubSub, payload, work);
  };

  it('sends nothing while nobody else listens, and has who begins to listen look', async () => {
    const one = await replica(url, QUICK_CHECKS);
    await onceAlone(one, 'alone');
    const other = await replica();
    const [far, gaps] = [new Ear(), new Ear()];
    other.subscribe('topic', far.listen);
    other.onGap(() => gaps.listen('gap'));
    await gaps.until(1);
    await publish(one, 'together');
    expect(await far.until(1)).toEqual(['together']);
    other.close();
    await onceAlone(one, 'alone again');
  });

  it('sends after the commit what seemed to have no listener before it', async () => {
    const one = await replica(url, QUICK_CHECKS);
    const [far, gaps] = [new Ear(), new Ear()];
    await onceAlone(one, 'late', async () => {
      const other = await replica();
      other.subscribe('topic', far.listen);
      other.onGap(() => gaps.listen('gap'));
      await gaps.until(1);
    });
    expect(await far.until(1)).toEqual(['late']);
  });

  it('notices a connection that has fallen silent', async () => {
    await using proxy = await PausableProxy.to(url);
    const [one, other] = await pair(proxy.url, IMPATIENT_CHECKS);
    const [far, gaps] = [new Ear(), new Ear()];
    other.subscribe('topic', far.listen);
    other.onGap(() => gaps.listen('gap'));
    proxy.pause();
    while (other.listening.state === 'ok') await new Promise((resolve) => setImmediate(resolve));
    await publish(one, 'meanwhile');
    proxy.recover();
    await gaps.until(1);
    // On a busy machine it may find itself silent once more.
    while (far.heard.length === 0) await publish(one, 'after');
    expect(new Set(far.heard)).toEqual(new Set(['after']));
  });

  it('releases its connection when it is closed, also while it has none', async () => {
    const listening = async (): Promise<number> => {
      const sql = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'palabre listen'`;
      return (await database.dataSource.query<object[]>(sql)).length;
    };
    const other = await replica();
    await whileDeaf(other, async () => other.close());
    const one = await replica();
    expect(await listening()).toBe(1);
    one.close();
    while ((await listening()) > 0) await new Promise((resolve) => setImmediate(resolve));
    // Somebody may connect again, and it is not the one that was closed.
    await using proxy = await PausableProxy.to(url);
    const third = await replica(proxy.url, IMPATIENT_CHECKS);
    proxy.pause();
    while (third.listening.state === 'ok') await new Promise((resolve) => setImmediate(resolve));
    third.close();
    proxy.recover();
    while ((await listening()) > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(third.listening.state).toBe('lost');
  });

  it('does not open where there is no database', async () => {
    const nowhere = new URL(url);
    nowhere.pathname = `/none_${newId()}`;
    await expect(PostgresPubSub.open(nowhere.href, logger)).rejects.toMatchObject({ code: '3D000' });
  });
});
