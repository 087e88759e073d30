import fc from 'fast-check';
import { ModelError } from '@palabre/llm-client';
import { failure, finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import {
  disconnect,
  type ProviderReply,
  type ProviderStep,
  type ScriptedProvider,
  startScriptedProvider,
} from '@palabre/llm-client/scripted-provider.double.js';

import { checkEvents, checkSame, checkTold } from '../harness/laws.js';
import {
  type Choice,
  persistently,
  type PersistentSight,
  watchPersistently,
} from '../harness/persistence.js';
import { Replica } from '../harness/replicas.js';
import { pause, ScriptBook } from '../harness/script-book.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';
import { cancelTurn } from '../harness/turn-view.js';
import { Witness } from '../harness/witness.js';

const onServer = testDatabaseUrl === null ? describe.skip : describe;

const chunks = fc.array(
  fc.record({
    said: fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('', '\0', '😀', '\uD83D', '\uDE00'),
    ),
    ms: fc.nat({ max: 20 }),
  }),
  { minLength: 1, maxLength: 60 },
);

const call = fc.record({
  skill: fc.constantFrom('send_once', 'look_up', 'get_company_profile', 'no_such_skill'),
  ms: fc.nat({ max: 500 }),
});

/** Which replicas somebody goes to, one after the other: their numbers. */
const ways = fc.array(fc.nat({ max: 1 }), { minLength: 5, maxLength: 5 });

const watcher = fc.record({
  ways,
  after: fc.oneof(fc.nat({ max: 12 }), fc.constantFrom(200, 2 ** 31 - 1)),
  leavesAfter: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 4 }),
});

const turn = fc.record({
  steps: fc.array(fc.record({ chunks, calls: fc.array(call, { minLength: 1, maxLength: 2 }) }), {
    maxLength: 2,
  }),
  chunks,
  ending: fc.constantFrom('finish', 'finish', 'finish', 'length', 'failure', 'disconnect'),
  observer: watcher,
  watchers: fc.array(watcher, { maxLength: 2 }),
  /** Somebody cancels it when so many of its events have been seen. */
  cancelAfter: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 15 }) },
  ),
  /** It is asked in the conversation of the one before it. */
  isNext: fc.boolean(),
});

/** What befalls a replica when so many events of all turns have been seen. */
const trouble = fc.record({
  kind: fc.constantFrom('cut', 'cut', 'kill'),
  replica: fc.nat({ max: 1 }),
  afterEvents: fc.integer({ min: 5, max: 150 }),
});

const plan = fc.record({
  turns: fc.array(turn, { minLength: 5, maxLength: 8 }),
  troubles: fc.array(trouble, { minLength: 2, maxLength: 5 }),
});

type Of<A> = A extends fc.Arbitrary<infer T> ? T : never;
type Turn = Of<typeof turn>;

/** A turn as it was seen by somebody from its beginning on, and by others. */
interface Seen {
  turnId: string;
  whole: PersistentSight;
  others: PersistentSight[];
}

const book = new ScriptBook();

onServer('the laws of a turn’s events, over two replicas', () => {
  let testDatabase: TestDatabase;
  let provider: ScriptedProvider;
  let witness: Witness;
  let replicas: Replica[];
  let choiceOf: (ways: readonly number[]) => Choice;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    provider = await startScriptedProvider(book.replyTo);
    witness = await Witness.open();
    const databaseUrl = testDatabase.location.database.url ?? '';
    const start = (): Promise<Replica> =>
      Replica.start({ databaseUrl, provider, settings: witness.settings });
    replicas = [await start(), await start()];
    const clients = await Promise.all(replicas.map((replica) => replica.client()));
    choiceOf = (ways) => {
      let count = 0;
      return { next: () => clients[ways[(count += 1) % ways.length]!]! };
    };
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
    await witness[Symbol.asyncDispose]();
    await provider.close();
    await testDatabase[Symbol.asyncDispose]();
  });

  it('hold wherever one asks, watches, comes back and cancels, when networks are cut and servers killed', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ turns, troubles }) => {
        for (const { turnId, whole, others } of await play(turns, troubles)) {
          checkEvents(turnId, whole);
          checkTold(turnId, whole);
          const replay = await watchPersistently(choiceOf([0, 1]), turnId);
          for (const other of [...others, replay]) checkSame(still(whole), still(other));
        }
        const twice = [...(await witness.runs('send_once'))].filter(([, times]) => times > 1);
        expect(twice).toEqual([]);
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });

  const play = async (turns: Turn[], troubles: Of<typeof trouble>[]): Promise<Seen[]> => {
    const befalling: Promise<void>[] = [];
    const coming = troubles.toSorted((one, other) => other.afterEvents - one.afterEvents);
    let count = 0;
    const onEvent = (): void => {
      count += 1;
      while (coming.at(-1) && coming.at(-1)!.afterEvents <= count) befalling.push(befall(coming.pop()!));
    };
    const seen: Promise<Seen>[] = [];
    let conversationId: string | null = null;
    for (const drawn of turns) {
      const asked = await ask(drawn, drawn.isNext ? conversationId : null);
      ({ conversationId } = asked);
      seen.push(see(drawn, asked.turnId, onEvent));
    }
    const all = await Promise.all(seen);
    await Promise.all(befalling);
    return all;
  };

  const restarting = new Set<Replica>();

  const befall = async ({ kind, replica: which }: Of<typeof trouble>): Promise<void> => {
    const replica = replicas[which]!;
    if (kind === 'cut') return replica.network.cut();
    // One that is killed twice at once is killed once.
    if (restarting.has(replica) || !replica.isUp) return;
    restarting.add(replica);
    await replica.down('SIGKILL');
    await replica.up();
    restarting.delete(replica);
  };

  const ask = async (
    drawn: Turn,
    conversationId: string | null,
  ): Promise<{ turnId: string; conversationId: string }> => {
    const message = book.add(...repliesOf(drawn));
    const place = conversationId === null ? { assistantKey: 'mefali' } : { conversationId };
    const input = { ...place, message, idempotencyKey: message };
    const { turn, conversation } = await persistently(choiceOf(drawn.observer.ways), (client) =>
      client.startTurn(input),
    );
    return { turnId: turn?.id ?? '', conversationId: conversation?.id ?? '' };
  };

  const see = async (drawn: Turn, turnId: string, onEvent: () => void): Promise<Seen> => {
    const { observer, watchers, cancelAfter } = drawn;
    const choice = choiceOf(observer.ways);
    const others = watchers.map((watching) => watchPersistently(choiceOf(watching.ways), turnId, watching));
    let cancelled: Promise<unknown> | null = null;
    const { leavesAfter } = observer;
    const whole = await watchPersistently(choice, turnId, { leavesAfter }, (count) => {
      onEvent();
      if (count === cancelAfter) cancelled = persistently(choice, (client) => cancelTurn(client, turnId));
    });
    await cancelled;
    return { turnId, whole, others: await Promise.all(others) };
  };
});

/** Without what changes afterwards: which turn of the conversation is under way. */
function still(sight: PersistentSight): PersistentSight {
  return {
    ...sight,
    told: sight.told && { ...sight.told, conversation: { activeTurn: null } },
  };
}

const lastSteps: Record<Turn['ending'], ProviderStep> = {
  finish: finish(),
  length: finish('length'),
  failure: failure(new ModelError('MODEL_UNAVAILABLE', 'Overloaded.', false)),
  disconnect: disconnect(),
};

function speech(chunks: Turn['chunks']): ProviderStep[] {
  return chunks.flatMap(({ said, ms }) => [text(said), pause(ms)]);
}

function repliesOf({ steps, chunks, ending }: Turn): ProviderReply[] {
  return [
    ...steps.map(({ chunks, calls }) => [
      ...speech(chunks),
      ...calls.map(({ skill, ms }) => toolCall(skill, skill === 'get_company_profile' ? {} : { ms })),
      finish(),
    ]),
    [...speech(chunks), lastSteps[ending]],
  ];
}
