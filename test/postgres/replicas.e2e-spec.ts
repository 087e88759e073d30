import pg from 'pg';
import { finish, hang, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import {
  type ScriptedProvider,
  startScriptedProvider,
} from '@palabre/llm-client/scripted-provider.double.js';

import { wordingIn } from '../../src/common/wording/wording.js';
import { lastOf, readRequest, resultIn } from '../harness/provider-request.js';
import { Replica } from '../harness/replicas.js';
import { barrier, ScriptBook } from '../harness/script-book.js';
import type { Settings } from '../harness/server-process.js';
import { answerOf, type TestClient, type WireEvent } from '../harness/test-client.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';
import { cancelTurn, messagesOf, turnOf } from '../harness/turn-view.js';
import { Witness } from '../harness/witness.js';

// A lease has to run out, and none is shorter than ten seconds.
const onServer = testDatabaseUrl === null ? describe.skip : describe;

const book = new ScriptBook();

let testDatabase: TestDatabase;
let provider: ScriptedProvider;
let witness: Witness;

function databaseUrl(): string {
  return testDatabase.location.database.url ?? '';
}

function start(settings: Settings = {}): Promise<Replica> {
  return Replica.start({ databaseUrl: databaseUrl(), provider, settings });
}

/** One statement outside of every server. */
async function sql<Row extends object>(query: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl() });
  await client.connect();
  try {
    return (await client.query<Row>(query, values)).rows;
  } finally {
    await client.end();
  }
}

function types(events: readonly WireEvent[]): string[] {
  return events.map(({ __typename }) => __typename);
}

/** Reads up to the first event that is asked for, and gives all up to it; the stream is left open. */
async function until(
  events: AsyncIterator<WireEvent, void>,
  isIt: (event: WireEvent) => boolean,
): Promise<WireEvent[]> {
  const seen: WireEvent[] = [];
  for (;;) {
    const { value, done } = await events.next();
    if (done || !value) throw new Error(`It was not among ${JSON.stringify(seen)}.`);
    seen.push(value);
    if (isIt(value)) return seen;
  }
}

function isText({ __typename }: WireEvent): boolean {
  return __typename === 'TextDelta';
}

function expectLawful(events: readonly WireEvent[]): void {
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  expect(types(events).indexOf('TurnDone')).toBe(events.length - 1);
}

async function expectTold(client: TestClient, turnId: string, told: readonly WireEvent[]): Promise<void> {
  expectLawful(told);
  const { answer, lastSequence } = await turnOf(client, turnId);
  expect(answer?.text ?? '').toBe(answerOf(told));
  expect(lastSequence).toBe(told.length);
  expect(await client.allEvents(turnId)).toEqual(told);
}

onServer('replicas on one database', () => {
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    provider = await startScriptedProvider(book.replyTo);
    witness = await Witness.open();
  });
  afterAll(async () => {
    await witness[Symbol.asyncDispose]();
    await provider.close();
    await testDatabase[Symbol.asyncDispose]();
  });

  describe('of which each does all', () => {
    let a: Replica;
    let b: Replica;
    let here: TestClient;
    let there: TestClient;

    beforeAll(async () => {
      [a, b] = await Promise.all([start(), start()]);
      [here, there] = await Promise.all([a.client(), b.client()]);
    });
    afterAll(() => Promise.all([a[Symbol.asyncDispose](), b[Symbol.asyncDispose]()]));

    it('show a turn of another as it comes, each event once', async () => {
      const barriers = Array.from({ length: 20 }, barrier);
      const said = barriers.flatMap(({ step }, index) => [text(`${index} `), step]);
      const { turnId } = await here.ask(book.add([...said, finish()]));
      const watched = there.turnEvents(turnId);
      const seen: WireEvent[] = [];
      // The model says the next word only when the last one was seen through the other replica.
      for (const each of barriers) {
        seen.push(...(await until(watched, isText)));
        each.open();
      }
      for await (const event of watched) seen.push(event);
      expect(answerOf(seen)).toBe(barriers.map((_, index) => `${index} `).join(''));
      await expectTold(there, turnId, seen);
      expect(await here.allEvents(turnId)).toEqual(seen);
    });

    it('end the model’s call for a turn that is cancelled at another, also when the model says nothing', async () => {
      const { turnId } = await here.ask(book.add([text('So far'), hang()]));
      const watched = there.turnEvents(turnId);
      const seen = await until(watched, isText);
      const cancelled = cancelTurn(there, turnId);
      await provider.nextAbort();
      expect(await cancelled).toMatchObject({
        status: 'CANCELLED',
        finishReason: 'CANCELLED',
        answer: { text: 'So far', status: 'INTERRUPTED' },
      });
      await cancelTurn(here, turnId);
      for await (const event of watched) seen.push(event);
      await expectTold(here, turnId, seen);
    });

    it('interrupt a turn of another, and answer the new question', async () => {
      const { turnId, conversationId } = await here.ask(book.add([text('So far'), hang()]));
      await until(here.turnEvents(turnId), isText);
      const next = await there.ask(book.add([text('Instead'), finish()]), {
        conversationId,
        whenBusy: 'INTERRUPT',
      });
      await provider.nextAbort();
      expect(answerOf(await here.allEvents(next.turnId))).toBe('Instead');
      expect(await turnOf(there, turnId)).toMatchObject({
        status: 'CANCELLED',
        finishReason: 'SUPERSEDED',
        answer: { text: 'So far', status: 'INTERRUPTED' },
      });
    });

    it('take a question once, however often and wherever it comes with its key', async () => {
      const message = book.add([text('Once'), finish()]);
      const input = { assistantKey: 'mefali', message, idempotencyKey: 'fifty' };
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? here : there).startTurn(input)),
      );
      const ids = new Set(answers.map(({ turn }) => turn?.id));
      expect(ids.size).toBe(1);
      const [id = ''] = [...ids];
      expect(answerOf(await there.allEvents(id))).toBe('Once');
      const asked = await sql('SELECT FROM message WHERE text = $1', [message]);
      expect(asked).toHaveLength(1);
      expect(provider.requests.filter((body) => lastOf(body).content === message)).toHaveLength(1);
    });

    it('answer in the order of asking, wherever the questions of a conversation came in', async () => {
      const blocked = barrier();
      const first = book.add([blocked.step, text('re'), finish()]);
      const { conversationId } = await here.ask(first);
      await blocked.reached;
      const questions = [first];
      const turnIds: string[] = [];
      for (let index = 0; index < 6; index += 1) {
        const question = book.add([text('re'), finish()]);
        const client = index % 2 === 0 ? there : here;
        turnIds.push((await client.ask(question, { conversationId })).turnId);
        questions.push(question);
      }
      blocked.open();
      for (const turnId of turnIds) {
        expect((await here.allEvents(turnId)).at(-1)).toMatchObject({ status: 'COMPLETED' });
      }
      const order = provider.requests
        .map((body) => lastOf(body).content)
        .filter((question) => questions.includes(question));
      expect(order).toEqual(questions);
      expect(await messagesOf(there, conversationId)).toEqual(
        questions.flatMap((question) => [`USER COMPLETE: ${question}`, 'ASSISTANT COMPLETE: re']),
      );
    });

    it('lose nothing to a listening connection that ends, and hear of a cancel that came meanwhile', async () => {
      const barriers = Array.from({ length: 10 }, barrier);
      const said = barriers.flatMap(({ step }, index) => [text(`${index} `), step]);
      const { turnId } = await here.ask(book.add([...said, hang()]));
      const watched = there.turnEvents(turnId);
      const seen: WireEvent[] = [];
      const deafen = (): Promise<object[]> =>
        sql(
          `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'palabre listen'`,
        );
      for (const each of barriers) {
        seen.push(...(await until(watched, isText)));
        await deafen();
        each.open();
      }
      await deafen();
      const cancelled = cancelTurn(there, turnId);
      await provider.nextAbort();
      await cancelled;
      for await (const event of watched) seen.push(event);
      expect(seen.at(-1)).toMatchObject({ status: 'CANCELLED' });
      await expectTold(there, turnId, seen);
    });
  });

  describe('of which some take questions and others answer them', () => {
    let api: Replica;
    let client: TestClient;

    beforeAll(async () => {
      api = await start({ ROLE: 'api' });
      client = await api.client();
    });
    afterAll(() => api[Symbol.asyncDispose]());

    const worker = (settings: Settings = {}): Promise<Replica> =>
      start({ ROLE: 'worker', ...witness.settings, ...settings });

    /** A turn that has called both skills, and is in the middle of what it says about them. */
    const askForSkills = async () => {
      const calls = [toolCall('send_once', { ms: 0 }), toolCall('look_up', { ms: 0 })];
      const silent = barrier();
      const question = book.add(
        [text('Let me see.'), ...calls, finish()],
        [text('It '), silent.step, text('worked.'), finish()],
      );
      const { turnId } = await client.ask(question);
      const watched = client.turnEvents(turnId);
      const seen = await until(watched, ({ text }) => text === 'It ');
      return { question, turnId, watched, seen, open: silent.open };
    };

    /** What held of the turn when its owner went holds of it when another one has ended it. */
    const expectGoneOn = async (question: string, turnId: string, told: WireEvent[]): Promise<void> => {
      await expectTold(client, turnId, told);
      expect(answerOf(told)).toBe('It worked.');
      const called = told.filter(({ __typename }) => __typename.startsWith('Skill'));
      expect(called.map(({ __typename, skill, callStatus }) => [__typename, skill, callStatus])).toEqual([
        ['SkillStarted', 'send_once', undefined],
        ['SkillStarted', 'look_up', undefined],
        ['SkillFinished', 'send_once', 'SUCCEEDED'],
        ['SkillFinished', 'look_up', 'SUCCEEDED'],
      ]);
      for (const { callId, skill } of called) {
        const runs = await witness.runs(skill as 'send_once');
        expect(runs.get(String(callId))).toBe(1);
      }
      // The model of the second owner sees what the skills of the first one gave.
      const requests = provider.requests
        .map(readRequest)
        .filter(({ messages }) => messages.some(({ content }) => content === question));
      expect(requests).toHaveLength(3);
      expect(requests[2]).toEqual(requests[1]);
      expect(requests[2]?.messages.filter(({ role }) => role === 'tool')).toHaveLength(2);
    };

    it('have another one go on where one was killed', async () => {
      await using killed = await worker();
      const { question, turnId, watched, seen, open } = await askForSkills();
      await killed.down('SIGKILL');
      open();
      await using _next = await worker();
      for await (const event of watched) seen.push(event);
      expect(seen).toContainEqual(expect.objectContaining({ __typename: 'TextReset', cause: 'RETRIED' }));
      await expectGoneOn(question, turnId, seen);
      expect(await sql('SELECT lost_leases FROM turn WHERE id = $1', [turnId])).toEqual([{ lost_leases: 1 }]);
    });

    it('go on with a turn whose owner stood still, and take nothing of what that one says later', async () => {
      await using still = await worker();
      const { question, turnId, watched, seen, open } = await askForSkills();
      still.stand('SIGSTOP');
      open();
      await using _next = await worker();
      for await (const event of watched) seen.push(event);
      await expectGoneOn(question, turnId, seen);
      still.stand('SIGCONT');
      // It finds its claim lost, and can be stopped like any other.
      expect(await still.down('SIGTERM')).toMatchObject({ code: 0 });
      await expectGoneOn(question, turnId, seen);
    });

    it('hand a turn over at once when one is stopped, and count nothing against it', async () => {
      await using stopped = await worker({ SHUTDOWN_GRACE_SECONDS: '0' });
      const { question, turnId, watched, seen, open } = await askForSkills();
      await using _next = await worker();
      expect(await stopped.down('SIGTERM')).toMatchObject({ code: 0 });
      open();
      for await (const event of watched) seen.push(event);
      const detail = { __typename: 'StatusChanged', status: 'QUEUED', detail: 'HANDED_OVER' };
      expect(seen).toContainEqual(expect.objectContaining(detail));
      await expectGoneOn(question, turnId, seen);
      expect(await sql('SELECT lost_leases FROM turn WHERE id = $1', [turnId])).toEqual([{ lost_leases: 0 }]);
    });

    it('carry out again what may be repeated, and nothing else, when one is killed in the middle of it', async () => {
      await using killed = await worker();
      const calls = [toolCall('send_once', { ms: 60_000 }), toolCall('look_up', { ms: 1_000 })];
      const question = book.add([...calls, finish()], [text('So it is.'), finish()]);
      const { turnId } = await client.ask(question);
      const watched = client.turnEvents(turnId);
      const seen = await until(watched, ({ skill }) => skill === 'look_up');
      const [sent = '', lookedUp = ''] = seen.flatMap(({ callId }) => (callId ? [String(callId)] : []));
      await Promise.all([witness.began('send_once', sent), witness.began('look_up', lookedUp)]);
      await killed.down('SIGKILL');
      await using _next = await worker();
      for await (const event of watched) seen.push(event);
      await expectTold(client, turnId, seen);
      expect(seen.filter(({ callStatus }) => callStatus)).toEqual([
        expect.objectContaining({ callId: sent, callStatus: 'UNKNOWN' }),
        expect.objectContaining({ callId: lookedUp, callStatus: 'SUCCEEDED' }),
      ]);
      expect((await witness.runs('send_once')).get(sent)).toBe(1);
      expect((await witness.runs('look_up')).get(lookedUp)).toBe(2);
      const results = readRequest(provider.requests.at(-1)).messages.filter(({ role }) => role === 'tool');
      expect(results.map(({ content }) => resultIn(content))).toEqual([
        { error: wordingIn('fr').prompt.unknownOutcome },
        { witnessed: lookedUp },
      ]);
    });
  });
});
