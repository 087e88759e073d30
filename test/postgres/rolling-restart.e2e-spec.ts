import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import {
  type ProviderStep,
  type ScriptedProvider,
  startScriptedProvider,
} from '@palabre/llm-client/scripted-provider.double.js';

import { newId } from '../../src/common/ids.js';
import { checkEvents, checkTold } from '../harness/laws.js';
import { PausableProxy } from '../harness/pausable-proxy.js';
import {
  type Choice,
  persistently,
  type PersistentSight,
  watchPersistently,
} from '../harness/persistence.js';
import { RawSocket } from '../harness/raw-socket.js';
import { Replica } from '../harness/replicas.js';
import { barrier, pause, ScriptBook } from '../harness/script-book.js';
import type { Settings } from '../harness/server-process.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';
import { turnOf } from '../harness/turn-view.js';

const onServer = testDatabaseUrl === null ? describe.skip : describe;

const CLIENTS = 20;
const WORDS = 150;
const WORD_MS = 5;
const EVENTS_OF_MID_TURN = 8;

const book = new ScriptBook();

/** Words at a steady pace, as a model speaks. */
function speech(): ProviderStep[] {
  const words = Array.from({ length: WORDS }, (_, index) => [text(`${index} `), pause(WORD_MS)]);
  return [...words.flat(), finish()];
}

onServer('two replicas that are replaced one after the other', () => {
  let testDatabase: TestDatabase;
  let provider: ScriptedProvider;
  let replicas: Replica[];

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    provider = await startScriptedProvider(book.replyTo);
  });
  afterAll(async () => {
    await provider.close();
    await testDatabase[Symbol.asyncDispose]();
  });
  afterEach(() => Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]())));

  const start = async (settings: Settings = {}): Promise<void> => {
    const databaseUrl = testDatabase.location.database.url ?? '';
    replicas = [
      await Replica.start({ databaseUrl, provider, settings }),
      await Replica.start({ databaseUrl, provider, settings }),
    ];
  };

  /** Asks one question after the other, at one replica or the other, until `isOver`. */
  const askInTurn = async (
    index: number,
    isOver: () => boolean,
    onEvent: (count: number) => void,
  ): Promise<[string, PersistentSight][]> => {
    const clients = await Promise.all(replicas.map((replica) => replica.client(`client-${index}`)));
    // They go through their turns side by side: some ask where the others watch.
    let count = index;
    const choice: Choice = { next: () => clients[(count += 1) % clients.length]! };
    const seen: [string, PersistentSight][] = [];
    while (!isOver()) {
      const input = { assistantKey: 'mefali', message: book.add(speech()), idempotencyKey: newId() };
      const { turn } = await persistently(choice, (client) => client.startTurn(input));
      const turnId = turn?.id ?? '';
      seen.push([turnId, await watchPersistently(choice, turnId, {}, onEvent)]);
    }
    return seen;
  };

  /** Has twenty people ask while the servers are replaced, and gives what they saw. */
  const replaceUnderLoad = async (): Promise<[string, PersistentSight][]> => {
    let isOver = false;
    let inMidTurn = Promise.withResolvers<void>();
    const onEvent = (count: number): void => {
      if (count === EVENTS_OF_MID_TURN) inMidTurn.resolve();
    };
    const asking = Array.from({ length: CLIENTS }, (_, index) => askInTurn(index, () => isOver, onEvent));
    for (const replica of replicas) {
      inMidTurn = Promise.withResolvers();
      await inMidTurn.promise;
      expect(await replica.down('SIGTERM')).toMatchObject({ code: 0, signal: null });
      await replica.up();
    }
    isOver = true;
    return (await Promise.all(asking)).flat();
  };

  const expectNothingLost = (seen: [string, PersistentSight][]): void => {
    expect(seen.length).toBeGreaterThanOrEqual(CLIENTS);
    for (const [turnId, sight] of seen) {
      checkEvents(turnId, sight);
      checkTold(turnId, sight);
      expect(sight.told?.status).toBe('COMPLETED');
      expect(sight.told?.answer?.text).toBe(
        Array.from({ length: WORDS }, (_, index) => `${index} `).join(''),
      );
    }
    // All that was closed was closed by a server that said that it was going.
    const codes = seen.flatMap(([, { closeCodes }]) => closeCodes);
    expect(new Set(codes)).toEqual(new Set([1001]));
  };

  const resets = (seen: [string, PersistentSight][]): number =>
    seen.flatMap(([, { events }]) => events).filter(({ cause }) => cause === 'RETRIED').length;

  it('lose nothing, and tell nothing twice, when turns are given the time to end', async () => {
    await start();
    const seen = await replaceUnderLoad();
    expectNothingLost(seen);
    expect(resets(seen)).toBe(0);
  });

  it('lose nothing when turns are handed over at once', async () => {
    await start({ SHUTDOWN_GRACE_SECONDS: '0' });
    const seen = await replaceUnderLoad();
    expectNothingLost(seen);
    expect(resets(seen)).toBeGreaterThan(0);
  });

  it('take no more visitors while the turns of one that stops come to their end', async () => {
    await start();
    const [stopping, other] = replicas as [Replica, Replica];
    const silent = barrier();
    const { turnId } = await (await stopping.client()).ask(book.add([silent.step, text('Done'), finish()]));
    await silent.reached;
    const token = (await stopping.client()).token ?? '';
    const socket = await RawSocket.signedIn(stopping.directUrl, token);
    const stopped = stopping.down('SIGTERM');
    expect(await socket.closed).toEqual({ code: 1001, reason: 'Going away' });
    const readiness = await fetch(`${stopping.directUrl}/health/ready`).then(
      ({ status }) => status,
      () => 'does not answer',
    );
    expect([503, 'does not answer']).toContain(readiness);
    // The turn is its own still: the other one shows its end.
    const client = await other.client();
    expect((await turnOf(client, turnId)).status).toBe('RUNNING');
    silent.open();
    const events = await client.allEvents(turnId);
    expect(events.map(({ cause }) => cause)).not.toContain('RETRIED');
    expect(await stopped).toMatchObject({ code: 0 });
  });

  describe('with a client that has fallen silent', () => {
    // Their start is not part of the time that they have to stop.
    beforeEach(() => start());

    it('do not wait for it', async () => {
      const [stopping] = replicas as [Replica, Replica];
      await using network = await PausableProxy.to(stopping.directUrl);
      const token = (await stopping.client()).token ?? '';
      await RawSocket.signedIn(network.url.replace(/\/$/, ''), token);
      network.pause();
      expect(await stopping.down('SIGTERM')).toMatchObject({ code: 0 });
    }, 25_000);
  });
});
