import { finish, gate, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { unansweredText } from '../../src/agent/unanswered.js';
import { readConfig } from '../../src/common/config/read-config.js';
import { TurnClaimRepository } from '../../src/conversations/turns/claims/turn-claim.repository.js';
import { GetCompanyProfileSkill } from '../../src/skills/functions/get-company-profile.skill.js';
import { eventually } from '../harness/eventually.js';
import { lastOf, spokenIn } from '../harness/provider-request.js';
import { shareApp, startApp, type TestApp } from '../harness/start-app.js';
import { answerOf, type TestClient, type WireEvent } from '../harness/test-client.js';
import { cancelTurn, messagesOf, turnOf } from '../harness/turn-view.js';

function echo(body: JsonObject): ProviderReply {
  return [text(`re ${lastOf(body).content}`), finish()];
}

function types(events: readonly WireEvent[]): string[] {
  return events.map(({ __typename }) => __typename);
}

/** Reads events up to the first of a type; the stream is left open. */
async function until(events: AsyncIterator<WireEvent, void>, typename: string): Promise<WireEvent> {
  for (;;) {
    const { value, done } = await events.next();
    if (done || !value) throw new Error(`The turn ended without ${typename}.`);
    if (value.__typename === typename) return value;
  }
}

describe('turns of one conversation', () => {
  let app: TestApp;
  let client: TestClient;
  let reply: (body: JsonObject) => ProviderReply;

  beforeAll(async () => {
    app = await shareApp((body) => reply(body));
    client = await app.client();
  });
  afterAll(() => app[Symbol.asyncDispose]());
  beforeEach(() => void (reply = echo));
  afterEach(() => void vi.restoreAllMocks());

  const sql = <Row>(query: string, values: unknown[]): Promise<Row[]> =>
    app.database.dataSource.query<Row[]>(query, values);

  const countOf = async (table: 'turn' | 'message', conversationId: string): Promise<number> => {
    const rows = await sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table} WHERE conversation_id = $1`,
      [conversationId],
    );
    return rows[0]?.count ?? -1;
  };

  /** A question that is being answered until `open` is called. */
  const askAndHold = async (question = 'first', begun: ProviderReply = [text('So far')]) => {
    const arrived = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    reply = (body) => {
      if (!lastOf(body).content.endsWith(question)) return echo(body);
      arrived.resolve();
      return [...begun, gate(opened.promise), text('.'), finish()];
    };
    const turn = await client.ask(question);
    await arrived.promise;
    return { ...turn, open: opened.resolve };
  };

  /** Waits until the text of a turn has begun to come. */
  const speaking = async (turnId: string): Promise<void> => {
    const events = client.turnEvents(turnId);
    await until(events, 'TextDelta');
    await events.return();
  };

  describe('ENQUEUE', () => {
    it('answers one after another, each with the answers before it', async () => {
      const { turnId, conversationId, open } = await askAndHold();
      const from = app.provider.requests.length - 1;
      const turns = await Promise.all(
        ['second', 'third', 'fourth'].map((question) => client.ask(question, { conversationId })),
      );
      expect((await turnOf(client, turnId)).status).toBe('RUNNING');
      for (const each of turns) expect((await turnOf(client, each.turnId)).status).toBe('QUEUED');
      // Nor would any process take one of them up.
      const everywhere = { foreground: 100, background: 100 };
      const rows = new TurnClaimRepository(readConfig({}));
      const unattended = await app.database.systemTransaction((tx) => rows.listUnattended(tx, everywhere));
      const waiting = new Set(turns.map((each) => each.turnId));
      expect(unattended.filter(({ turnId: id }) => waiting.has(id))).toEqual([]);
      open();
      for (const each of turns)
        expect((await client.allEvents(each.turnId)).at(-1)?.status).toBe('COMPLETED');
      const said = await messagesOf(client, conversationId);
      expect(said.slice(0, 2)).toEqual(['USER COMPLETE: first', 'ASSISTANT COMPLETE: So far.']);
      expect(said.filter((line) => line.startsWith('USER')).toSorted()).toEqual(
        ['first', 'fourth', 'second', 'third'].map((question) => `USER COMPLETE: ${question}`),
      );
      const spoken = said.map((line) =>
        line.replace('USER COMPLETE', 'user').replace('ASSISTANT COMPLETE', 'assistant'),
      );
      // Each request is the conversation up to its question.
      expect(app.provider.requests.slice(from).map(spokenIn)).toEqual(
        [1, 3, 5, 7].map((length) => spoken.slice(0, length)),
      );
    });

    it('shows the one under way as active, then the next in line, then none', async () => {
      const { turnId, conversationId, open } = await askAndHold();
      const next = await client.ask('second', { conversationId });
      const active = async () => {
        const { conversation } = await client.get<{ conversation: { activeTurn: { id: string } | null } }>(
          'query ($id: ID!) { conversation(id: $id) { activeTurn { id } } }',
          { id: conversationId },
        );
        return conversation.activeTurn;
      };
      expect(await active()).toEqual({ id: turnId });
      open();
      await client.allEvents(next.turnId);
      expect(await active()).toBeNull();
    });
  });

  it('REJECT names the turn under way and stores nothing', async () => {
    const { turnId, conversationId, open } = await askAndHold();
    const input = { conversationId, message: 'second', whenBusy: 'REJECT', idempotencyKey: 'rejected' };
    const answer = await client.startTurn(input);
    expect(answer).toEqual({
      __typename: 'TurnInProgress',
      message: 'Une réponse est encore en cours dans cette conversation.',
      activeTurn: { id: turnId },
    });
    expect([await countOf('turn', conversationId), await countOf('message', conversationId)]).toEqual([1, 1]);
    open();
    await client.allEvents(turnId);
    // The refused key is not used up.
    expect(await client.startTurn(input)).toMatchObject({ __typename: 'TurnAccepted' });
  });

  it('INTERRUPT ends the one under way and those in line, and goes first', async () => {
    const { turnId, conversationId } = await askAndHold();
    const waiting = [
      await client.ask('second', { conversationId }),
      await client.ask('third', { conversationId }),
    ];
    await speaking(turnId);
    const last = await client.ask('never mind', { conversationId, whenBusy: 'INTERRUPT' });
    await app.provider.nextAbort();
    const events = await client.allEvents(last.turnId);
    expect(events.at(-1)).toMatchObject({ status: 'COMPLETED', finishReason: 'ANSWERED' });
    expect(await turnOf(client, turnId)).toMatchObject({
      status: 'CANCELLED',
      finishReason: 'SUPERSEDED',
      answer: { text: 'So far', status: 'INTERRUPTED' },
    });
    for (const each of waiting) {
      expect(await turnOf(client, each.turnId)).toMatchObject({
        status: 'CANCELLED',
        finishReason: 'SUPERSEDED',
        answer: null,
        usage: { modelCalls: 0 },
      });
      expect(types(await client.allEvents(each.turnId))).toEqual(['StatusChanged', 'TurnDone']);
    }
    expect(spokenIn(app.provider.requests.at(-1))).toEqual([
      'user: first',
      'assistant: So far',
      'user: second',
      `assistant: ${unansweredText('SUPERSEDED', 'fr')}`,
      'user: third',
      `assistant: ${unansweredText('SUPERSEDED', 'fr')}`,
      'user: never mind',
    ]);
  });

  it('holds its promises when everything comes at once', async () => {
    const { conversationId } = await client.ask('begin');
    const choices = ['ENQUEUE', 'INTERRUPT', 'REJECT', 'ENQUEUE', 'INTERRUPT'];
    const asked = await Promise.all(
      Array.from({ length: 25 }, async (_, index) => {
        const whenBusy = choices[index % choices.length];
        const { turn } = await client.startTurn({ conversationId, message: `question ${index}`, whenBusy });
        if (turn && index % 4 === 0) await cancelTurn(client, turn.id);
        return turn?.id ?? [];
      }),
    );
    for (const turnId of asked.flat()) {
      const events = await client.allEvents(turnId);
      expect(types(events).filter((type) => type === 'TurnDone')).toEqual(['TurnDone']);
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
      const turn = await turnOf(client, turnId);
      expect(turn.status).toBe(events.at(-1)?.status);
      expect(turn.error).toBeNull();
      expect(turn.answer?.text ?? '').toBe(answerOf(events));
    }
  });

  describe('an idempotency key', () => {
    it('starts one turn, however often and from wherever it is sent', async () => {
      const input = { assistantKey: 'mefali', message: 'Once', idempotencyKey: 'fifty' };
      const answers = await Promise.all(Array.from({ length: 50 }, () => client.startTurn(input)));
      expect(new Set(answers.map(({ turn }) => turn?.id)).size).toBe(1);
      expect(new Set(answers.map(({ conversation }) => conversation?.id)).size).toBe(1);
      const turnId = answers[0]?.turn?.id ?? '';
      await client.allEvents(turnId);
      expect((await client.startTurn(input)).turn).toEqual({ id: turnId, status: 'COMPLETED' });
      const rows = await sql('SELECT FROM turn WHERE idempotency_key = $1', ['fifty']);
      expect(rows).toHaveLength(1);
      expect(await sql('SELECT FROM message WHERE text = $1', ['Once'])).toHaveLength(1);
    });

    it.each(['ENQUEUE', 'REJECT', 'INTERRUPT'])(
      'starts one turn in a conversation that exists (%s)',
      async (whenBusy) => {
        const { turnId, conversationId } = await client.ask('begin');
        await client.allEvents(turnId);
        const input = { conversationId, message: 'Once', whenBusy, idempotencyKey: `key ${whenBusy}` };
        const answers = await Promise.all(Array.from({ length: 20 }, () => client.startTurn(input)));
        expect(new Set(answers.map(({ __typename }) => __typename))).toEqual(new Set(['TurnAccepted']));
        expect(new Set(answers.map(({ turn }) => turn?.id)).size).toBe(1);
        const events = await client.allEvents(answers[0]?.turn?.id ?? '');
        expect(events.at(-1)).toMatchObject({ status: 'COMPLETED' });
      },
    );

    it('conflicts with another payload, and stores nothing of it', async () => {
      const first = await client.startTurn({ assistantKey: 'mefali', message: 'One', idempotencyKey: 'key' });
      const conversationId = first.conversation?.id ?? '';
      for (const other of [
        { assistantKey: 'mefali', message: 'Two' },
        { assistantKey: 'solven', message: 'One' },
        { conversationId, message: 'One' },
      ]) {
        expect(await client.startTurn({ ...other, idempotencyKey: 'key' })).toEqual({
          __typename: 'IdempotencyConflict',
          message: expect.any(String),
          firstTurn: { id: first.turn?.id },
        });
      }
      expect(await countOf('turn', conversationId)).toBe(1);
      expect(await sql('SELECT FROM message WHERE text = $1', ['Two'])).toHaveLength(0);
    });

    it('is of one payload, in whatever letters its ids are spelt', async () => {
      const { turnId, conversationId } = await client.ask('begin');
      await client.allEvents(turnId);
      const input = { conversationId, message: 'Once', idempotencyKey: 'in letters' };
      const first = await client.startTurn(input);
      const again = await client.startTurn({ ...input, conversationId: conversationId.toUpperCase() });
      expect(again.turn?.id).toBe(first.turn?.id);
    });

    it('is a member’s own', async () => {
      const input = { assistantKey: 'mefali', message: 'Mine', idempotencyKey: 'shared' };
      const people = [
        client,
        await app.client({ sub: 'bea' }),
        await app.client({ company: await app.company() }),
      ];
      const answers = await Promise.all(people.map((person) => person.startTurn(input)));
      expect(new Set(answers.map(({ turn }) => turn?.id)).size).toBe(3);
    });
  });

  describe('cancelTurn', () => {
    it('of a turn in line ends it at once and leaves the others', async () => {
      const { turnId, conversationId, open } = await askAndHold();
      const second = await client.ask('second', { conversationId });
      const third = await client.ask('third', { conversationId });
      expect(await cancelTurn(client, second.turnId)).toMatchObject({
        status: 'CANCELLED',
        finishReason: 'CANCELLED',
        answer: null,
      });
      expect((await turnOf(client, turnId)).status).toBe('RUNNING');
      open();
      expect((await client.allEvents(third.turnId)).at(-1)).toMatchObject({ status: 'COMPLETED' });
      expect((await turnOf(client, turnId)).status).toBe('COMPLETED');
      expect(types(await client.allEvents(second.turnId))).toEqual(['StatusChanged', 'TurnDone']);
      expect(spokenIn(app.provider.requests.at(-1))).toEqual([
        'user: first',
        'assistant: So far.',
        'user: second',
        `assistant: ${unansweredText('CANCELLED', 'fr')}`,
        'user: third',
      ]);
    });

    it('before the first byte closes the provider’s socket', async () => {
      const { turnId, conversationId } = await askAndHold('first', []);
      const next = await client.ask('second', { conversationId });
      expect(await cancelTurn(client, turnId)).toMatchObject({
        status: 'CANCELLED',
        finishReason: 'CANCELLED',
        answer: null,
        error: null,
      });
      await app.provider.nextAbort();
      expect((await client.allEvents(next.turnId)).at(-1)).toMatchObject({ status: 'COMPLETED' });
      expect(spokenIn(app.provider.requests.at(-1))).toEqual([
        'user: first',
        `assistant: ${unansweredText('CANCELLED', 'fr')}`,
        'user: second',
      ]);
    });

    it('in the middle of the text keeps what was said', async () => {
      const { turnId, conversationId } = await askAndHold();
      const watching = client.allEvents(turnId);
      await speaking(turnId);
      const cancelled = await cancelTurn(client, turnId);
      await app.provider.nextAbort();
      expect(cancelled).toMatchObject({
        status: 'CANCELLED',
        answer: { text: 'So far', status: 'INTERRUPTED' },
      });
      const events = await watching;
      expect(answerOf(events)).toBe('So far');
      expect(events.at(-1)).toMatchObject({
        __typename: 'TurnDone',
        status: 'CANCELLED',
        finishReason: 'CANCELLED',
        messageId: cancelled.answer?.id,
        error: null,
      });
      expect(await messagesOf(client, conversationId)).toEqual([
        'USER COMPLETE: first',
        'ASSISTANT INTERRUPTED: So far',
      ]);
    });

    it('in the middle of a skill call leaves the call in doubt and the skill aborted', async () => {
      const called = Promise.withResolvers<AbortSignal>();
      vi.spyOn(GetCompanyProfileSkill.prototype, 'run').mockImplementation((_, { signal }) => {
        called.resolve(signal);
        return new Promise(() => {});
      });
      reply = () => [text('I look.'), toolCall('get_company_profile'), finish()];
      const { turnId } = await client.ask('Who are we?');
      const signal = await called.promise;
      expect(await cancelTurn(client, turnId)).toMatchObject({
        status: 'CANCELLED',
        answer: null,
        skillCalls: [{ skill: 'get_company_profile', status: 'UNKNOWN', resultPreview: null }],
        usage: { modelCalls: 1, skillCalls: 1 },
      });
      expect(signal.aborted).toBe(true);
      const events = await client.allEvents(turnId);
      expect(types(events).slice(-3)).toEqual(['TextReset', 'SkillStarted', 'TurnDone']);
    });

    it('twice at once, and again, changes nothing more', async () => {
      const { turnId } = await askAndHold();
      const answers = await Promise.all([cancelTurn(client, turnId), cancelTurn(client, turnId)]);
      await app.provider.nextAbort();
      answers.push(await cancelTurn(client, turnId));
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      const events = await client.allEvents(turnId);
      expect(types(events).filter((type) => type === 'TurnDone')).toHaveLength(1);
    });

    it('after the end answers with the end', async () => {
      const { turnId } = await client.ask('quick');
      const events = await client.allEvents(turnId);
      expect(await cancelTurn(client, turnId)).toMatchObject({
        status: 'COMPLETED',
        finishReason: 'ANSWERED',
        answer: { text: 're quick', status: 'COMPLETE' },
      });
      expect(await client.allEvents(turnId)).toEqual(events);
    });

    it('is its asker’s alone', async () => {
      const { turnId, open } = await askAndHold();
      const cancel = 'mutation ($id: ID!) { cancelTurn(id: $id) { id } }';
      const others = [await app.client({ sub: 'bea' }), await app.client({ company: await app.company() })];
      for (const other of others) expect(await other.codes(cancel, { id: turnId })).toEqual(['NOT_FOUND']);
      expect(await client.codes(cancel, { id: 'nonsense' })).toEqual(['NOT_FOUND']);
      expect((await turnOf(client, turnId)).status).toBe('RUNNING');
      open();
      await client.allEvents(turnId);
    });
  });

  it('goes on when nobody listens any more', async () => {
    const { turnId, open } = await askAndHold();
    await speaking(turnId);
    open();
    expect(answerOf(await client.allEvents(turnId))).toBe('So far.');
  });
});

it('MAX_TURNS limits how many are answered at a time, and all are', async () => {
  const gates = new Map<string, () => void>();
  const arrivals: string[] = [];
  let arrived = Promise.withResolvers<void>();
  await using app = await startApp(
    (body) => {
      const question = lastOf(body).content;
      const opened = Promise.withResolvers<void>();
      gates.set(question, opened.resolve);
      arrivals.push(question);
      arrived.resolve();
      return [gate(opened.promise), text(`re ${question}`), finish()];
    },
    { MAX_TURNS: '1' },
  );
  const client = await app.client();
  const questions = ['a', 'b', 'c', 'd'];
  const turns = await Promise.all(questions.map((question) => client.ask(question)));
  for (let count = 1; count <= questions.length; count += 1) {
    await arrived.promise;
    expect(arrivals).toHaveLength(count);
    const states = await Promise.all(turns.map(({ turnId }) => turnOf(client, turnId)));
    expect(states.filter(({ status }) => status === 'RUNNING')).toHaveLength(1);
    expect(states.filter(({ status }) => status === 'COMPLETED')).toHaveLength(count - 1);
    arrived = Promise.withResolvers();
    gates.get(arrivals.at(-1) ?? '')?.();
  }
  for (const { turnId } of turns) {
    expect((await client.allEvents(turnId)).at(-1)).toMatchObject({ status: 'COMPLETED' });
  }
});

it('questions of a company do not wait for all that another one has asked', async () => {
  const arrivals: string[] = [];
  const gates: (() => void)[] = [];
  await using app = await startApp(
    (body) => {
      const opened = Promise.withResolvers<void>();
      arrivals.push(String(lastOf(body).content));
      gates.push(opened.resolve);
      return [gate(opened.promise), text('.'), finish()];
    },
    { MAX_TURNS: '2' },
  );
  const client = await app.client();
  const other = await app.client({ company: await app.company() });
  const questions = ['a', 'b', 'c', 'd', 'e', 'f'];
  const turns: string[] = [];
  for (const question of questions) turns.push((await client.ask(question)).turnId);
  const { turnId } = await other.ask('alone');
  for (let ended = 0; ended < questions.length + 1; ended += 1) {
    await eventually(
      () => Promise.resolve(gates.length),
      (count) => count > ended,
    );
    gates[ended]?.();
  }
  await other.allEvents(turnId);
  for (const each of turns) await client.allEvents(each);
  expect(arrivals.indexOf('alone')).toBeLessThan(4);
  expect(arrivals.filter((question) => question !== 'alone').toSorted()).toEqual(questions);
});

it('questions of a company are answered while another one’s take all the places that they may', async () => {
  const opened = Promise.withResolvers<void>();
  await using app = await startApp(
    (body) => [...(lastOf(body).content === 'alone' ? [] : [gate(opened.promise)]), text('.'), finish()],
    { MAX_TURNS: '5' },
  );
  const client = await app.client();
  const other = await app.client({ company: await app.company() });
  const turns: string[] = [];
  for (let count = 0; count < 8; count += 1) turns.push((await client.ask(`question ${count}`)).turnId);
  const { turnId } = await other.ask('alone');
  expect((await other.allEvents(turnId)).at(-1)).toMatchObject({ status: 'COMPLETED' });
  const states = await Promise.all(turns.map((id) => turnOf(client, id)));
  expect(states.map(({ status }) => status).toSorted()).toEqual([
    ...Array.from({ length: 4 }, () => 'QUEUED'),
    ...Array.from({ length: 4 }, () => 'RUNNING'),
  ]);
  opened.resolve();
  for (const each of turns) {
    expect((await client.allEvents(each)).at(-1)).toMatchObject({ status: 'COMPLETED' });
  }
});
