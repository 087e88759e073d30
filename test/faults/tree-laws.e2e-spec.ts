import fc from 'fast-check';
import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import {
  type ProviderReply,
  type ScriptedProvider,
  startScriptedProvider,
} from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import {
  carryOut,
  type MessageView,
  REGENERATE,
  SELECT,
  SHOWN,
  type Shown,
  Tree,
  treeStep,
} from '../harness/message-tree.js';
import { type Choice, persistently, watchPersistently } from '../harness/persistence.js';
import { isUpkeep, lastOf, spokenIn } from '../harness/provider-request.js';
import { Replica } from '../harness/replicas.js';
import { pause } from '../harness/script-book.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import type { StartTurnAnswer, TestClient } from '../harness/test-client.js';
import { testDatabaseUrl } from '../harness/test-server.js';

const onServer = testDatabaseUrl === null ? describe.skip : describe;

const replicaNumber = fc.nat({ max: 1 });

const step = fc.record({
  does: treeStep,
  /** Which replicas are gone to, one after the other. */
  ways: fc.array(replicaNumber, { minLength: 3, maxLength: 3 }),
  /** Who answers anew. */
  assistantKey: fc.constantFrom(null, 'solven'),
  /** A replica that is killed once so many events of the turn have been seen. */
  kill: fc.oneof(
    { weight: 6, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.record({ replica: replicaNumber, afterEvents: fc.integer({ min: 1, max: 4 }) }),
    },
  ),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const plan = fc.record({ steps: fc.array(step, { minLength: 4, maxLength: 8 }), leaf: fc.nat() });

/** Each kind of step, and the replica that runs the turn is killed in two of them. */
const example = {
  steps: (['ask', 'edit', 'regenerate', 'select', 'follow'] as const).map((kind, index) => ({
    does: { kind, pick: index },
    ways: [index % 2, 1, 0],
    assistantKey: 'solven' as const,
    kill: kind === 'edit' || kind === 'regenerate' ? { replica: 1, afterEvents: 3 } : null,
  })),
  leaf: 1,
};

onServer('a tree of messages, over two replicas that are killed', () => {
  let testDatabase: TestDatabase;
  let provider: ScriptedProvider;
  let replicas: Replica[];
  let clients: TestClient[];
  let kills = 0;
  /** What the model was sent, as often as it was asked. */
  const prompts: string[][] = [];

  const replyTo = (body: JsonObject): ProviderReply => {
    if (isUpkeep(body)) return [finish()];
    const count = prompts.push(spokenIn(body));
    return [
      text('re '),
      pause(100),
      text(`${lastOf(body).content} `),
      pause(100),
      text(`${count}`),
      finish(),
    ];
  };

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    provider = await startScriptedProvider(replyTo);
    const databaseUrl = testDatabase.location.database.url ?? '';
    replicas = [
      await Replica.start({ databaseUrl, provider }),
      await Replica.start({ databaseUrl, provider }),
    ];
    clients = await Promise.all(replicas.map((replica) => replica.client()));
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
    await provider.close();
    await testDatabase[Symbol.asyncDispose]();
  });

  const choiceOf = (ways: readonly number[]): Choice => {
    let count = 0;
    return { next: () => clients[ways[(count += 1) % ways.length]!]! };
  };

  const shown = async (choice: Choice, id: string, leaf: string | null = null): Promise<MessageView[]> => {
    const variables = { id, leaf, first: 100 };
    const { conversation } = await persistently(choice, (client) => client.get<Shown>(SHOWN, variables));
    return conversation.messages.edges.map(({ node }) => node);
  };

  /** Starts a turn and sees it answered, whatever befalls a replica meanwhile. */
  const answered = async (
    { ways, kill }: Pick<Step, 'ways' | 'kill'>,
    start: (client: TestClient) => Promise<StartTurnAnswer>,
  ): Promise<string> => {
    const choice = choiceOf(ways);
    const { turn, conversation } = await persistently(choice, start);
    let restart: Promise<void> | null = null;
    const sight = await watchPersistently(choice, turn!.id, {}, (count) => {
      if (count === kill?.afterEvents) restart ??= killed(replicas[kill.replica]!);
    });
    expect(sight.events.at(-1)).toMatchObject({ __typename: 'TurnDone', status: 'COMPLETED' });
    await restart;
    return conversation!.id;
  };

  const killed = async (replica: Replica): Promise<void> => {
    kills += 1;
    await replica.down('SIGKILL');
    await replica.up();
  };

  const doStep = async (tree: Tree, conversationId: string, one: Step, at: number): Promise<void> => {
    const before = prompts.length;
    const choice = choiceOf(one.ways);
    const idempotencyKey = newId();
    const expected = await carryOut(tree, conversationId, one.does, at, {
      ask: async (message, input) =>
        void (await answered(one, (client) => client.startTurn({ message, ...input, idempotencyKey }))),
      regenerate: async (messageId) => {
        const input = { messageId, assistantKey: one.assistantKey, idempotencyKey };
        await answered(
          one,
          async (client) =>
            (await client.get<{ regenerate: StartTurnAnswer }>(REGENERATE, { input })).regenerate,
        );
      },
      select: async (id) => void (await persistently(choice, (client) => client.get(SELECT, { id }))),
      shown: () => shown(choice, conversationId),
    });
    // Once for each attempt.
    for (const prompt of prompts.slice(before)) expect(prompt).toEqual(expected);
  };

  it('is told to the model by the path alone, and shown by any path', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ steps, leaf }) => {
        const idempotencyKey = newId();
        const input = { message: 'question', assistantKey: 'mefali', idempotencyKey };
        const conversationId = await answered({ ways: [0, 1], kill: null }, (client) =>
          client.startTurn(input),
        );
        const choice = choiceOf([0, 1]);
        const tree = new Tree(await shown(choice, conversationId));
        for (const [at, one] of steps.entries()) await doStep(tree, conversationId, one, at);
        expect(await shown(choice, conversationId)).toEqual(tree.viewOf(tree.head));
        const { id } = tree.nodes[leaf % tree.nodes.length]!;
        expect(await shown(choice, conversationId, id)).toEqual(tree.viewOf(id));
      }),
      { numRuns: 4, endOnFailure: true, examples: [[example]] },
    );
    expect(kills).toBeGreaterThanOrEqual(2);
  });
});
