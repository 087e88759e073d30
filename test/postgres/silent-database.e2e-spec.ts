import pg from 'pg';
import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import {
  type ScriptedProvider,
  startScriptedProvider,
} from '@palabre/llm-client/scripted-provider.double.js';

import { eventually } from '../harness/eventually.js';
import { PausableProxy } from '../harness/pausable-proxy.js';
import { Replica } from '../harness/replicas.js';
import { barrier, ScriptBook } from '../harness/script-book.js';
import { answerOf, type TestClient, type WireEvent } from '../harness/test-client.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';
import { cancelTurn, turnOf } from '../harness/turn-view.js';

const onServer = testDatabaseUrl === null ? describe.skip : describe;

const LEASE_SECONDS = 10;

const book = new ScriptBook();

onServer('a server whose connections to the database all fall silent for good', () => {
  let testDatabase: TestDatabase;
  let provider: ScriptedProvider;
  let network: PausableProxy;
  let admin: pg.Client;
  /** Behind the network that forgets its connections. */
  let replica: Replica;
  /** Takes questions in and shows answers, and runs nothing; its network is well. */
  let elsewhere: Replica;
  let here: TestClient;
  let there: TestClient;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const databaseUrl = testDatabase.location.database.url ?? '';
    provider = await startScriptedProvider(book.replyTo);
    network = await PausableProxy.to(databaseUrl);
    admin = new pg.Client({ connectionString: databaseUrl });
    await admin.connect();
    const settings = {
      LEASE_SECONDS: String(LEASE_SECONDS),
      SHUTDOWN_GRACE_SECONDS: '0',
      LOG_LEVEL: 'info',
    };
    replica = await Replica.start({ databaseUrl: network.url, provider, settings });
    elsewhere = await Replica.start({ databaseUrl, provider, settings: { ...settings, ROLE: 'api' } });
    [here, there] = await Promise.all([replica.client(), elsewhere.client()]);
  });
  afterAll(async () => {
    await replica[Symbol.asyncDispose]();
    await elsewhere[Symbol.asyncDispose]();
    await admin.end();
    await network[Symbol.asyncDispose]();
    await provider.close();
    await testDatabase[Symbol.asyncDispose]();
  });

  const ready = async (status: number): Promise<void> =>
    void (await eventually(
      async () => (await fetch(`${replica.directUrl}/health/ready`)).status,
      (found) => found === status,
    ));

  /** Resolves when the query finds a row. */
  const found = async (sql: string, values: unknown[] = []): Promise<void> =>
    void (await eventually(
      async () => (await admin.query(sql, values)).rowCount,
      (count) => count !== 0,
    ));

  beforeEach(() => ready(200));

  /**
   * Has the network fall silent when a statement of the server has reached the database and waits there for the turn's
   * row, so that its answer is lost.
   */
  const silenceInMidStatement = async (
    turnId: string,
    begin: () => unknown,
    fallSilent = (): void => network.forget(),
  ): Promise<void> => {
    await admin.query('BEGIN');
    try {
      await admin.query('SELECT FROM turn WHERE id = $1 FOR UPDATE', [turnId]);
      begin();
      await found('SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))');
      fallSilent();
    } finally {
      await admin.query('COMMIT');
    }
  };

  const attemptsOf = async (turnId: string): Promise<number> => {
    const { rows } = await admin.query<{ attempt: number }>('SELECT attempt FROM turn WHERE id = $1', [
      turnId,
    ]);
    return rows[0]?.attempt ?? 0;
  };

  /** Follows a turn; resolves once something of it was seen. */
  const follow = async (client: TestClient, turnId: string): Promise<{ all: Promise<WireEvent[]> }> => {
    const begun = Promise.withResolvers<void>();
    const read = async (): Promise<WireEvent[]> => {
      const seen: WireEvent[] = [];
      for await (const event of client.turnEvents(turnId)) {
        seen.push(event);
        if (event.__typename === 'TextDelta') begun.resolve();
      }
      return seen;
    };
    const all = read();
    all.catch(begun.reject);
    await begun.promise;
    return { all };
  };

  /** The turn is at its end, told once and as it is stored. */
  const expectWhole = async (turnId: string, answer: string, ...sights: WireEvent[][]): Promise<void> => {
    const stored = await there.allEvents(turnId);
    for (const seen of sights) expect(seen).toEqual(stored);
    expect(stored.map(({ sequence }) => sequence)).toEqual(stored.map((_, index) => index + 1));
    expect(stored.at(-1)).toMatchObject({ __typename: 'TurnDone', status: 'COMPLETED' });
    expect(stored.map(({ __typename }) => __typename)).not.toContain('TextReset');
    expect(answerOf(stored)).toBe(answer);
    expect((await turnOf(there, turnId)).answer?.text).toBe(answer);
    expect(await attemptsOf(turnId)).toBe(1);
  };

  it('goes on with a turn whose events were on their way', async () => {
    const silent = barrier();
    const { turnId } = await here.ask(book.add([text('So far '), silent.step, text('so good.'), finish()]));
    const [near, far] = [await follow(here, turnId), await follow(there, turnId)];
    await silenceInMidStatement(turnId, silent.open);
    await expectWhole(turnId, 'So far so good.', await near.all, await far.all);
  });

  it('keeps a turn whose model is silent', async () => {
    const silent = barrier();
    const { turnId } = await here.ask(book.add([text('So far '), silent.step, text('so good.'), finish()]));
    const { all } = await follow(there, turnId);
    network.forget();
    // Later than any renewal by a connection of before.
    const later = new Date(Date.now() + (LEASE_SECONDS + 1) * 1000);
    await found('SELECT FROM turn WHERE id = $1 AND lease_until > $2', [turnId, later]);
    silent.open();
    await expectWhole(turnId, 'So far so good.', await all);
  });

  it('claims what was asked elsewhere', async () => {
    const waiting = barrier();
    const first = await there.ask(book.add([text('First'), waiting.step, finish()]));
    await waiting.reached;
    // It waits behind the first, and is claimed when that has ended.
    const next = await there.ask(book.add([text('Next'), finish()]), {
      conversationId: first.conversationId,
    });
    const sights = [there.allEvents(first.turnId), there.allEvents(next.turnId)] as const;
    await silenceInMidStatement(next.turnId, waiting.open);
    const [, seen] = await Promise.all(sights);
    await expectWhole(next.turnId, 'Next', seen);
  });

  it('shows what is told elsewhere', async () => {
    await using worker = await Replica.start({
      databaseUrl: testDatabase.location.database.url ?? '',
      provider,
    });
    const silent = barrier();
    const client = await worker.client();
    const { turnId } = await client.ask(book.add([text('So far '), silent.step, text('so good.'), finish()]));
    const { all } = await follow(here, turnId);
    network.forget();
    silent.open();
    await expectWhole(turnId, 'So far so good.', await all);
  });

  it('ends a turn whose end was on its way', async () => {
    const silent = barrier();
    const { turnId } = await here.ask(book.add([text('All of it.'), silent.step, finish()]));
    const [near, far] = [await follow(here, turnId), await follow(there, turnId)];
    await silenceInMidStatement(turnId, silent.open);
    await expectWhole(turnId, 'All of it.', await near.all, await far.all);
  });

  const pause = (): void => network.pause();

  /** A turn of this server's when its network has fallen silent, at the moment that is of interest. */
  interface Held {
    turnId: string;
    conversationId: string;
    answer: string;
    /** As it is seen by those whose network is well. */
    seen: Promise<WireEvent[]>;
    /** What the model waits for. */
    goOn(): void;
  }

  /** A turn whose model has begun to speak, and goes on when it is told to. */
  const speaking = async (
    client: TestClient,
    [first, rest]: [string, string] = ['So far ', 'so good.'],
  ): Promise<Held> => {
    const silent = barrier();
    const script = [text(first), silent.step, ...(rest === '' ? [] : [text(rest)]), finish()];
    const { turnId, conversationId } = await client.ask(book.add(script));
    const { all } = await follow(there, turnId);
    return { turnId, conversationId, answer: first + rest, seen: all, goOn: silent.open };
  };

  describe.each<[string, () => Promise<Held>]>([
    [
      'storing events',
      async () => {
        const held = await speaking(here);
        pause();
        held.goOn();
        return held;
      },
    ],
    [
      'claiming a turn',
      async () => {
        const first = await speaking(there, ['First', '']);
        const { conversationId } = first;
        const { turnId } = await there.ask(book.add([text('Next'), finish()]), { conversationId });
        const seen = there.allEvents(turnId);
        await silenceInMidStatement(turnId, first.goOn, pause);
        return { ...first, turnId, answer: 'Next', seen };
      },
    ],
    [
      'renewing a lease',
      async () => {
        const held = await speaking(here);
        pause();
        return held;
      },
    ],
    [
      'ending a turn',
      async () => {
        const held = await speaking(here, ['All of it.', '']);
        await silenceInMidStatement(held.turnId, held.goOn, pause);
        return held;
      },
    ],
  ])('on a network that falls silent while it is %s', (_, begin) => {
    afterEach(() => network.recover());

    it('says so, and goes on when it is over', async () => {
      const said = replica.output.length;
      const { turnId, answer, seen, goOn } = await begin();
      await ready(503);
      network.recover();
      await ready(200);
      goOn();
      await expectWhole(turnId, answer, await seen);
      const log = replica.output.slice(said);
      expect(log.match(/the database cannot be reached/g)).toHaveLength(1);
      expect(log.match(/the database is back/g)).toHaveLength(1);
    });

    it('has its turn cancelled by another', async () => {
      const { turnId, seen } = await begin();
      await cancelTurn(there, turnId);
      network.recover();
      // What the model has said to its end by then may be told as a whole; a model that waits is let go of.
      expect((await seen).at(-1)).toMatchObject({
        __typename: 'TurnDone',
        status: expect.stringMatching(/^(CANCELLED|COMPLETED)$/),
      });
    });

    it('stops all the same, and another goes on with its turn', async () => {
      const { answer, seen, goOn } = await begin();
      expect(await replica.down('SIGTERM')).toMatchObject({ code: 0 });
      network.recover();
      goOn();
      await replica.up();
      const events = await seen;
      expect(events.at(-1)).toMatchObject({ __typename: 'TurnDone', status: 'COMPLETED' });
      expect(answerOf(events)).toBe(answer);
    });
  });

  describe('on a network that falls silent while it is listening to others', () => {
    afterEach(() => network.recover());

    it('says so, and shows what it has missed when it is over', async () => {
      await using worker = await Replica.start({
        databaseUrl: testDatabase.location.database.url ?? '',
        provider,
      });
      const said = replica.output.length;
      const { turnId, answer, seen, goOn } = await speaking(await worker.client());
      const { all } = await follow(here, turnId);
      pause();
      goOn();
      const stored = await seen;
      await ready(503);
      network.recover();
      await ready(200);
      expect(await all).toEqual(stored);
      await expectWhole(turnId, answer, stored);
      expect(replica.output.slice(said).match(/the database cannot be reached/g)).toHaveLength(1);
    });

    it('stops all the same', async () => {
      pause();
      expect(await replica.down('SIGTERM')).toMatchObject({ code: 0 });
      network.recover();
      await replica.up();
    });
  });

  it('lets go of a turn that another has taken meanwhile', async () => {
    const { turnId, answer, seen, goOn } = await speaking(here);
    const abortedBefore = provider.aborted;
    pause();
    await using worker = await Replica.start({
      databaseUrl: testDatabase.location.database.url ?? '',
      provider,
    });
    await found('SELECT FROM turn WHERE id = $1 AND attempt = 2', [turnId]);
    expect(worker.isUp).toBe(true);
    network.recover();
    // The model is told no more by the one that has lost it.
    await eventually(
      async () => provider.aborted,
      (count) => count > abortedBefore,
    );
    goOn();
    const events = await seen;
    expect(events.filter(({ __typename }) => __typename === 'TurnDone')).toHaveLength(1);
    expect(answerOf(events)).toBe(answer);
    expect((await turnOf(there, turnId)).answer?.text).toBe(answer);
  });
});
