import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import {
  type ScriptedProvider,
  startScriptedProvider,
} from '@palabre/llm-client/scripted-provider.double.js';

import { hasOwnPostgres, OwnPostgres } from '../harness/own-postgres.js';
import { Replica } from '../harness/replicas.js';
import { barrier, ScriptBook } from '../harness/script-book.js';
import { answerOf, type TestClient, type WireEvent } from '../harness/test-client.js';
import { testDatabaseUrl } from '../harness/test-server.js';
import { turnOf } from '../harness/turn-view.js';

// Like every test that needs a server, it is left out where none was asked for.
const onOwnServer = testDatabaseUrl === null || !hasOwnPostgres ? describe.skip : describe;

const book = new ScriptBook();

function typesOf(events: readonly WireEvent[]): string[] {
  return events.map(({ __typename }) => __typename);
}

async function readiness({ network }: Replica): Promise<number> {
  return (await fetch(`${network.url}/health/ready`)).status;
}

/** Follows a turn on one subscription. `begun` resolves at the first event, `reached` at the first text. */
function follow(
  client: TestClient,
  turnId: string,
): { begun: Promise<void>; reached: Promise<void>; all: Promise<WireEvent[]> } {
  const begun = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const read = async (): Promise<WireEvent[]> => {
    const seen: WireEvent[] = [];
    for await (const event of client.turnEvents(turnId)) {
      seen.push(event);
      begun.resolve();
      if (event.__typename === 'TextDelta') reached.resolve();
    }
    return seen;
  };
  const all = read();
  all.catch(begun.reject);
  all.catch(reached.reject);
  return { begun: begun.promise, reached: reached.promise, all };
}

onOwnServer('a PostgreSQL that is stopped and started again', () => {
  let postgres: OwnPostgres;
  let provider: ScriptedProvider;
  let a: Replica;
  let b: Replica;
  let here: TestClient;
  let there: TestClient;

  beforeAll(async () => {
    [postgres, provider] = await Promise.all([OwnPostgres.start(), startScriptedProvider(book.replyTo)]);
    const start = (): Promise<Replica> =>
      Replica.start({ databaseUrl: postgres.url, provider, settings: { LEASE_SECONDS: '15' } });
    [a, b] = await Promise.all([start(), start()]);
    [here, there] = await Promise.all([a.client(), b.client()]);
  });
  afterAll(async () => {
    await Promise.all([a[Symbol.asyncDispose](), b[Symbol.asyncDispose]()]);
    await provider.close();
    await postgres[Symbol.asyncDispose]();
  });

  /** Has the database away while `happening`, and comes back when both servers say that it is there again. */
  const whileAway = async (mode: 'fast' | 'immediate', happening: () => Promise<void>): Promise<void> => {
    await postgres.down(mode);
    await happening();
    await postgres.up();
    for (const replica of [a, b]) while ((await readiness(replica)) !== 200);
  };

  /** What everybody saw is the whole turn, told once, and what is stored. */
  const expectUnharmed = async (turnId: string, ...sights: Promise<WireEvent[]>[]): Promise<void> => {
    const stored = await here.allEvents(turnId);
    for (const seen of await Promise.all(sights)) expect(seen).toEqual(stored);
    expect(stored.map(({ sequence }) => sequence)).toEqual(stored.map((_, index) => index + 1));
    expect(stored.at(-1)).toMatchObject({ __typename: 'TurnDone', status: 'COMPLETED' });
    expect(typesOf(stored)).not.toContain('TextReset');
    expect((await turnOf(there, turnId)).answer?.text).toBe(answerOf(stored));
  };

  it.each(['fast', 'immediate'] as const)(
    'is waited for in mid-answer, and nobody is thrown off (%s)',
    async (mode) => {
      const silent = barrier();
      const said = Array.from({ length: 50 }, (_, index) => text(`${index} `));
      const { turnId, conversationId } = await here.ask(
        book.add([text('So far '), silent.step, ...said, finish()]),
      );
      const next = await there.ask(book.add([text('Next'), finish()]), { conversationId });
      const sights = [follow(here, turnId), follow(there, turnId)];
      const waiting = there.allEvents(next.turnId);
      await Promise.all(sights.map(({ reached }) => reached));
      await whileAway(mode, async () => {
        // The model has said all before the database is back.
        silent.open();
        for (const client of [here, there]) {
          const refused = await client.codes(
            'mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }',
            { input: { assistantKey: 'mefali', message: 'Anybody?' } },
          );
          expect(refused).toEqual(['UNAVAILABLE']);
        }
        expect([await readiness(a), await readiness(b)]).toEqual([503, 503]);
      });
      await expectUnharmed(turnId, ...sights.map(({ all }) => all));
      await expectUnharmed(next.turnId, waiting);
    },
  );

  it('does not keep a server from being stopped meanwhile, nor another from going on with its turn', async () => {
    const silent = barrier();
    const { turnId } = await here.ask(book.add([text('So far '), silent.step, text('so good.'), finish()]));
    const sight = follow(there, turnId);
    await sight.reached;
    await postgres.down('fast');
    const stopped = a.down('SIGTERM');
    silent.open();
    expect(await stopped).toMatchObject({ code: 0 });
    await postgres.up();
    const seen = await sight.all;
    expect(seen.at(-1)).toMatchObject({ __typename: 'TurnDone', status: 'COMPLETED' });
    expect(answerOf(seen)).toBe('So far so good.');
    expect(await there.allEvents(turnId)).toEqual(seen);
    await a.up();
  });

  it('is waited for by a turn that is about to call a skill, and by the skill', async () => {
    const silent = barrier();
    const call = toolCall('get_company_profile');
    const { turnId } = await here.ask(
      book.add([silent.step, call, finish()], [text('There it is.'), finish()]),
    );
    const sight = follow(there, turnId);
    await Promise.all([silent.reached, sight.begun]);
    await whileAway('fast', async () => {
      const requested = provider.requests.length;
      silent.open();
      expect([await readiness(a), await readiness(b)]).toEqual([503, 503]);
      // The model is not asked again before what it asked for is there.
      expect(provider.requests).toHaveLength(requested);
    });
    await expectUnharmed(turnId, sight.all);
    expect((await turnOf(here, turnId)).skillCalls).toMatchObject([{ status: 'SUCCEEDED' }]);
  });
});
