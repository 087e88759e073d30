import fc from 'fast-check';
import { ModelError } from '@palabre/llm-client';
import {
  failure,
  finish,
  hang,
  reasoning,
  text,
  toolCall,
} from '@palabre/llm-client/scripted-chat-model.double.js';
import {
  disconnect,
  type ProviderReply,
  type ProviderStep,
} from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import {
  checkEvents,
  checkRemoved,
  checkSame,
  checkTold,
  type Sight,
  watch,
  type Watching,
} from '../harness/laws.js';
import { ImpatientClock } from '../harness/impatient-clock.js';
import { readRequest } from '../harness/provider-request.js';
import { barrier } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import { TURN_EVENTS, type TestClient } from '../harness/test-client.js';

/** What the model says to a question, one reply a step. */
const scripts = new Map<string, ProviderReply[]>();

function replyTo(body: JsonObject): ProviderReply {
  const { messages } = readRequest(body);
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const steps = messages.slice(asked).filter(({ role }) => role === 'assistant').length;
  return scripts.get(messages[asked]?.content ?? '')?.[steps] ?? [text('Nobody wrote this.'), finish()];
}

const chunks = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
    { weight: 4, arbitrary: fc.constantFrom('', '\0', '😀', '\uD83D', '\uDE00', 'é\uD83D', '\uDE00\0界') },
    { weight: 1, arbitrary: fc.nat({ max: 30_000 }).map((times) => 'mot 😀 '.repeat(times)) },
  ),
  { maxLength: 20 },
);

const call = fc.record({
  name: fc.constantFrom(
    'get_company_profile',
    'calculate_carbon_footprint',
    'no_such_skill',
    'odd\0\uD83D name',
  ),
  input: fc.oneof(
    fc.constantFrom(
      '',
      '{',
      '[]',
      '{}',
      '{"k\\u0000":"\\ud83d \\u0000"}',
      '{"__proto__":{"a":1e400},"b":-0}',
    ),
    fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }).map((input) => JSON.stringify(input)),
  ),
});

const endings = ['finish', 'length', 'failure', 'disconnect', 'cancel', 'delete'] as const;

const watchers = fc.array(
  fc.record({
    comes: fc.constantFrom('queued', 'during', 'ending', 'over'),
    after: fc.oneof(fc.constant(0), fc.nat({ max: 12 }), fc.constantFrom(200, 2 ** 31 - 1)),
    leavesAfter: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }),
    shares: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);

const plan = fc.record({
  steps: fc.array(
    fc.record({ thoughts: chunks, chunks, calls: fc.array(call, { minLength: 1, maxLength: 2 }) }),
    { maxLength: 3 },
  ),
  thoughts: chunks,
  before: chunks,
  rest: chunks,
  ending: fc.constantFrom(...endings),
  watchers,
});

type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

describe('the laws of a turn’s events', () => {
  let app: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    // Whatever is drawn fits: how a turn ends that is too long for its model is tested elsewhere.
    const room = { LLM_CONTEXT_WINDOW: '100000000' };
    app = await startApp(replyTo, room, { clock: new ImpatientClock() });
    client = await app.client();
    await client.get(
      'mutation { updateAssistant(key: "mefali", input: { showsReasoning: true }) { showsReasoning } }',
    );
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it('hold for everybody, whatever the model does, whenever they come, leave and come back', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (drawn) => {
        const { turnId, whole, others } = await play(drawn);
        const isRemoved = drawn.ending === 'delete';
        checkEvents(turnId, whole);
        if (!isRemoved) checkTold(turnId, whole);
        for (const other of others) {
          if (isRemoved && other.error !== null) checkRemoved(whole, other);
          else checkSame(whole, other, { isRemoved });
        }
      }),
      { numRuns: 25, endOnFailure: true },
    );
  }, 180_000);

  /** A turn by the plan, behind another one of its conversation, and what everybody saw of it. */
  const play = async (drawn: Plan): Promise<{ turnId: string; whole: Sight; others: Sight[] }> => {
    const blocked = barrier();
    const middle = barrier();
    const { conversationId } = await ask([[blocked.step, text('Done.'), finish()]]);
    await blocked.reached;
    const { turnId } = await ask(repliesOf(drawn, middle.step), { conversationId });
    const shared = client.socket();
    const others: Promise<Sight>[] = [];
    const come = async (time: string): Promise<void> => {
      const begun = drawn.watchers
        .filter(({ comes }) => comes === time)
        .map(({ after, leavesAfter, shares }) => {
          const watching: Watching = { after, leavesAfter, ...(shares ? { socket: shared } : {}) };
          const first = Promise.withResolvers<void>();
          others.push(watch(client, turnId, watching, first.resolve));
          return after === 0 ? first.promise : null;
        });
      await Promise.all(begun);
    };

    const observed = Promise.withResolvers<void>();
    const observer = watch(client, turnId, { after: 0, leavesAfter: [] }, observed.resolve);
    await Promise.all([observed.promise, come('queued')]);
    blocked.open();
    await middle.reached;
    await come('during');
    const came = come('ending');
    await end(drawn.ending, turnId, conversationId);
    middle.open();
    const whole = await observer;
    await came;
    await come('over');
    return { turnId, whole, others: await Promise.all(others) };
  };

  const ask = (
    replies: ProviderReply[],
    input?: object,
  ): Promise<{ turnId: string; conversationId: string }> => {
    const question = `Question ${newId()}`;
    scripts.set(question, replies);
    return client.ask(question, input);
  };

  const end = async (ending: Plan['ending'], turnId: string, conversationId: string): Promise<void> => {
    if (ending === 'cancel') {
      await client.get('mutation ($id: ID!) { cancelTurn(id: $id) { id } }', { id: turnId });
    } else if (ending === 'delete') {
      await client.get('mutation ($id: ID!) { deleteConversation(id: $id) }', { id: conversationId });
    }
  };
});

const lastSteps: Record<Plan['ending'], ProviderStep[]> = {
  finish: [finish()],
  length: [finish('length')],
  failure: [failure(new ModelError('MODEL_UNAVAILABLE', 'Overloaded.', false))],
  disconnect: [disconnect()],
  cancel: [hang()],
  delete: [hang()],
};

function repliesOf({ steps, thoughts, before, rest, ending }: Plan, middle: ProviderStep): ProviderReply[] {
  return [
    ...steps.map(({ thoughts: thought, chunks: said, calls }) => [
      ...thought.map(reasoning),
      ...said.map(text),
      ...calls.map(({ name, input }) => toolCall(name, input)),
      finish(),
    ]),
    [...thoughts.map(reasoning), ...before.map(text), middle, ...rest.map(text), ...lastSteps[ending]],
  ];
}

describe('turnEvents', () => {
  let app: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    // Whatever is drawn fits: how a turn ends that is too long for its model is tested elsewhere.
    const room = { LLM_CONTEXT_WINDOW: '100000000' };
    app = await startApp(replyTo, room, { clock: new ImpatientClock() });
    client = await app.client();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  /** The codes of the errors that a subscription gets, and nothing else. */
  const refusal = async (someone: TestClient, turnId: string, after = 0): Promise<string[]> => {
    const results = someone.socket().iterate({ query: TURN_EVENTS, variables: { turnId, after } });
    const all = await Array.fromAsync(results);
    expect(all.filter(({ data }) => data)).toEqual([]);
    return all.flatMap(({ errors = [] }) => errors.map(({ extensions }) => String(extensions?.code)));
  };

  it('gives nothing of an ended turn to whoever has seen all of it', async () => {
    const { turnId } = await client.ask('Anything');
    const events = await client.allEvents(turnId);
    for (const after of [events.length, events.length + 1, 2 ** 31 - 1]) {
      expect(await client.allEvents(turnId, after)).toEqual([]);
    }
    expect(await client.allEvents(turnId, events.length - 1)).toEqual(events.slice(-1));
  });

  it('follows a running turn to its end also for whoever asks for more than there will be', async () => {
    const middle = barrier();
    scripts.set('Wait', [[text('a'), middle.step, text('b'), finish()]]);
    const { turnId } = await client.ask('Wait');
    await middle.reached;
    const socket = client.socket();
    const beyond = Array.fromAsync(client.turnEvents(turnId, 1000, socket));
    // Asked after the other, on the same socket: when this one is under way, so is that.
    const begun = Promise.withResolvers<void>();
    const whole = watch(client, turnId, { after: 0, leavesAfter: [], socket }, begun.resolve);
    await begun.promise;
    middle.open();
    checkEvents(turnId, await whole);
    expect(await beyond).toEqual([]);
  });

  it('refuses a sequence that cannot be', async () => {
    const { turnId } = await client.ask('Anything');
    expect(await refusal(client, turnId, -1)).toEqual(['BAD_USER_INPUT']);
    // What does not fit the schema is refused before anything is begun: by an error message, not by a result.
    await expect(refusal(client, turnId, 2 ** 31)).rejects.toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });

  it('knows nobody’s turn but the viewer’s own', async () => {
    const { turnId } = await client.ask('Anything');
    await client.allEvents(turnId);
    const colleague = await app.client({ sub: 'bob' });
    const stranger = await app.client({ company: await app.company(), sub: 'ada' });
    expect(await refusal(colleague, turnId)).toEqual(['NOT_FOUND']);
    expect(await refusal(stranger, turnId)).toEqual(['NOT_FOUND']);
    expect(await refusal(client, newId())).toEqual(['NOT_FOUND']);
    expect(await refusal(client, 'no id at all')).toEqual(['NOT_FOUND']);
  });
});
