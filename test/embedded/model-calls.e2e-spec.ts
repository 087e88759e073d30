import { finish, hang, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { type ProviderReply, status } from '@palabre/llm-client/scripted-provider.double.js';

import { messagesTokens, toolsTokens } from '../../src/agent/loop/prompt/prompt-tokens.js';
import { TurnEventRepository } from '../../src/conversations/turns/log/turn-event.repository.js';
import { EventRetention } from '../../src/conversations/turns/log/event-retention.service.js';
import { PromptTextRepository } from '../../src/conversations/turns/model-calls/prompt-text.repository.js';
import { eventually } from '../harness/eventually.js';
import { ImpatientClock } from '../harness/impatient-clock.js';
import { seenToEnd } from '../harness/laws.js';
import { isUpkeep, readRequest, toolsOf } from '../harness/provider-request.js';
import { barrier, type BookReply, newQuestion, ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { cancelTurn, turnOf } from '../harness/turn-view.js';
import { promptsOf, sentIn, turnUsageOf, usageOf } from '../harness/usage-view.js';

const LOOK = 'get_company_profile';
const DAY_MS = 86_400_000;
const REMOVE = 'mutation ($id: ID!) { deleteConversation(id: $id) }';

const answer: ProviderReply = [text('Bonjour.'), finish()];

/** What the model says when it is to name or to sum up a conversation. */
let keep: (task: string) => ProviderReply;
let book: ScriptBook;
let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  book = new ScriptBook();
  app = await startApp(
    (body) => {
      const task = readRequest(body).tool_choice?.function?.name;
      return task === undefined ? book.replyTo(body) : keep(task);
    },
    { CONVERSATION_TITLES: 'model', LLM_MAX_CONCURRENT: '1' },
    { clock: new ImpatientClock() },
  );
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  keep = () => [toolCall('name_conversation', { title: 'Un titre' }), finish()];
  client = await app.client({ company: await app.company() });
});

/** Or what is still to be kept of one test's conversations would be asked for in the middle of the next. */
afterEach(() =>
  eventually(
    () =>
      app.database.dataSource.query<unknown[]>(
        `SELECT FROM pgboss.job WHERE name = 'keep-conversation' AND state < 'completed'`,
      ),
    (jobs) => jobs.length === 0,
  ),
);

async function ask(replies: readonly BookReply[] = [answer], input?: object) {
  const asking = await client.ask(book.add(...replies), input);
  await seenToEnd(client, asking.turnId);
  return asking;
}

/** So many questions and answers, in a conversation of their own or in the one that is given. */
async function talk(turns: number, before?: { conversationId: string }) {
  let last = await ask([answer], before && { conversationId: before.conversationId });
  for (let turn = 1; turn < turns; turn += 1) {
    last = await ask([answer], { conversationId: last.conversationId });
  }
  return last;
}

/** The calls of the turn, once so many are stored: those beside the turn come when nobody waits any more. */
function callsOf(turnId: string, count: number) {
  return eventually(
    () => promptsOf(client, turnId),
    (calls) => calls.length >= count,
  );
}

async function countOf(turnId: string): Promise<number> {
  const [row] = await app.database.dataSource.query<{ count: number }[]>(
    'SELECT count(*)::int AS count FROM model_call WHERE turn_id = $1',
    [turnId],
  );
  return row?.count ?? 0;
}

describe('a model call', () => {
  it('that is cancelled in the middle is counted by an estimate of what was sent and said', async () => {
    const { turnId } = await client.ask(book.add([text('Une moitié de réponse'), hang()]));
    for await (const { __typename } of client.turnEvents(turnId)) if (__typename === 'TextDelta') break;
    await cancelTurn(client, turnId);
    await seenToEnd(client, turnId);
    const [call, ...others] = await promptsOf(client, turnId);
    expect(others).toEqual([]);
    const { tokenizer } = app.server.resources;
    const { messages = [], tools = [] } = call ?? {};
    expect(call).toMatchObject({
      purpose: 'ANSWER',
      outcome: 'ABORTED',
      estimated: true,
      inputTokens: messagesTokens(messages, tokenizer) + toolsTokens(tools, tokenizer),
      outputTokens: tokenizer.count('Une moitié de réponse'),
    });
    const { inputTokens = 0, outputTokens = 0 } = call ?? {};
    expect(inputTokens).toBeGreaterThan(100);
    expect(await turnUsageOf(client, turnId)).toMatchObject({ modelCalls: 1, inputTokens, outputTokens });
    expect(await usageOf(client, [])).toMatchObject([
      { modelCalls: 1, estimatedCalls: 1, unpricedCalls: 1, inputTokens, outputTokens, costUsd: 0 },
    ]);
  });

  it('that waited for its turn at the provider, and was given up, is none', async () => {
    const { step, reached, open } = barrier();
    const first = await client.ask(book.add([step, ...answer]));
    await reached;
    const { turnId } = await client.ask(book.add(answer));
    for await (const { status: now } of client.turnEvents(turnId)) if (now === 'RUNNING') break;
    await cancelTurn(client, turnId);
    open();
    await seenToEnd(client, first.turnId);
    await callsOf(first.turnId, 2);
    expect(await promptsOf(client, turnId)).toEqual([]);
    expect(await turnUsageOf(client, turnId)).toMatchObject({ modelCalls: 0, inputTokens: 0 });
    expect(await usageOf(client, [])).toMatchObject([{ modelCalls: 2, inputTokens: 20 }]);
  });

  it('that was refused is told of, and has used up nothing', async () => {
    let isFirst = true;
    const replies: BookReply = () => {
      const fails = isFirst;
      isFirst = false;
      return fails ? [status(500)] : answer;
    };
    const { turnId } = await ask([replies]);
    expect((await callsOf(turnId, 2)).slice(0, 2)).toMatchObject([
      { outcome: 'MODEL_UNAVAILABLE', inputTokens: 0, outputTokens: 0, estimated: true, costUsd: null },
      { outcome: 'stop', inputTokens: 10, outputTokens: 5, estimated: false },
    ]);
    expect(await turnUsageOf(client, turnId)).toMatchObject({ modelCalls: 2, inputTokens: 10 });
  });

  it('for a title or a summary is counted for what it was, beside the turn', async () => {
    const named = await talk(1);
    expect((await callsOf(named.turnId, 2)).map(({ purpose }) => purpose)).toEqual(['ANSWER', 'TITLE']);
    keep = () => [toolCall('keep_summary', { points: ['Un.', 'Deux.', 'Trois.'] }), finish()];
    const last = await talk(10, named);
    const calls = await callsOf(last.turnId, 2);
    expect(calls).toMatchObject([
      { purpose: 'ANSWER' },
      { purpose: 'SUMMARY', outcome: 'tool-calls', inputTokens: 10, outputTokens: 5, estimated: false },
    ]);
    expect(calls[1]).toMatchObject(sentIn(app.provider.requests.at(-1) ?? {}));
    expect(await turnUsageOf(client, last.turnId)).toMatchObject({ modelCalls: 1, inputTokens: 10 });
    expect(await usageOf(client, [])).toMatchObject([{ modelCalls: 13, inputTokens: 130, outputTokens: 65 }]);
  });
});

describe('the prompts of a turn', () => {
  it('are what the provider was sent, of a planner and after earlier questions too', async () => {
    const first = await ask([[toolCall(LOOK), finish()], answer], { assistantKey: 'explorateur' });
    await callsOf(first.turnId, 3);
    const before = app.provider.requests.length;
    const writes: BookReply = (body) =>
      toolsOf(body).length > 0 ? [toolCall('synthesize_answer', { reason: 'Je sais.' }), finish()] : answer;
    const { turnId } = await ask(
      [[text('D’abord.'), toolCall(LOOK), finish()], [toolCall('no_such_skill'), finish()], writes],
      { conversationId: first.conversationId },
    );
    const prompts = await promptsOf(client, turnId);
    const sent = app.provider.requests
      .slice(before)
      .filter((request) => !isUpkeep(request))
      .map(sentIn);
    expect(prompts.map(({ messages, tools }) => ({ messages, tools }))).toEqual(sent);
    expect(prompts.map(({ purpose }) => purpose)).toEqual(['PLAN', 'PLAN', 'PLAN', 'SYNTHESIS']);
    const ids = prompts.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted());
  });

  it('are what the provider was sent, however many calls were made beside the turn meanwhile', async () => {
    const before = app.provider.requests.length;
    const { turnId } = await ask([[toolCall(LOOK), finish()], answer]);
    await callsOf(turnId, 3);
    const sent = app.provider.requests.slice(before, before + 2).map(sentIn);
    await app.database.dataSource.query(
      `INSERT INTO model_call SELECT made.* FROM
         (SELECT * FROM model_call WHERE turn_id = $1 ORDER BY id LIMIT 1) AS first, generate_series(1, 500) AS number,
         jsonb_populate_record(NULL::model_call, to_jsonb(first) || jsonb_build_object(
           'id', left(first.id::text, 14) || '7fff-bfff-' || lpad(to_hex(number), 12, '0'), 'purpose', 'ANALYSIS',
           'tools', '', 'messages', '[{"role": "user", "content": "A page."}]'::jsonb)) AS made`,
      [turnId],
    );
    const prompts = await promptsOf(client, turnId);
    expect(prompts.slice(0, 2).map(({ purpose }) => purpose)).toEqual(['ANSWER', 'ANALYSIS']);
    const own = prompts.filter(({ purpose }) => purpose === 'ANSWER');
    expect(own.map(({ messages, tools }) => ({ messages, tools }))).toEqual(sent);
  });

  it('are shown to nobody but whoever asked, and to them as admins alone', async () => {
    const company = await app.company();
    const member = await app.client({ company, sub: 'bea', role: 'MEMBER' });
    const boss = await app.client({ company });
    const { turnId } = await member.ask(book.add(answer));
    await seenToEnd(member, turnId);
    expect(await promptsOf(member, turnId)).toEqual([]);
    expect(await boss.get('query ($id: ID!) { turn(id: $id) { prompts { id } } }', { id: turnId })).toEqual({
      turn: null,
    });
    const promoted = await app.client({ company, sub: 'bea', role: 'ADMIN' });
    expect((await promptsOf(promoted, turnId))[0]).toMatchObject({ purpose: 'ANSWER' });
  });
});

describe('a conversation that is deleted', () => {
  it('takes its model calls along, and leaves what they have used up', async () => {
    const { turnId, conversationId } = await ask([[toolCall(LOOK), finish()], answer]);
    await callsOf(turnId, 3);
    const used = await usageOf(client, []);
    expect(used).toMatchObject([{ modelCalls: 3, inputTokens: 30 }]);
    expect(await countOf(turnId)).toBe(3);
    await client.get(REMOVE, { id: conversationId });
    expect(await countOf(turnId)).toBe(0);
    expect(await usageOf(client, [])).toEqual(used);
  });

  it('leaves nothing of its summary, which its prompts began with', async () => {
    keep = (task) => [
      task === 'keep_summary'
        ? toolCall(task, { points: ['Awa pèse 51 kg.', 'Deux.', 'Trois.'] })
        : toolCall(task, { title: 'Un titre' }),
      finish(),
    ];
    const { conversationId } = await talk(10);
    const eleventh = await ask([answer], { conversationId });
    await callsOf(eleventh.turnId, 2);
    const before = app.provider.requests.length;
    const { turnId } = await ask([[toolCall(LOOK), finish()], answer], { conversationId });
    const calls = await callsOf(turnId, 2);
    expect(JSON.stringify(calls[0]?.messages[0])).toContain('Awa pèse 51 kg.');
    const sent = app.provider.requests.slice(before).map(sentIn);
    expect(sent).toEqual(expect.arrayContaining(calls.map(({ messages, tools }) => ({ messages, tools }))));
    await client.get(REMOVE, { id: conversationId });
    const [left] = await app.database.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM (SELECT content FROM prompt_text UNION ALL
         SELECT messages::text FROM model_call UNION ALL SELECT data::text FROM turn_event) AS kept
       WHERE content LIKE '%Awa pèse%'`,
    );
    expect(left).toEqual({ count: 0 });
  });

  it('in the middle of an answer has to pay for what was said', async () => {
    const { turnId, conversationId } = await client.ask(book.add([text('Une moitié'), hang()]));
    for await (const { __typename } of client.turnEvents(turnId)) if (__typename === 'TextDelta') break;
    await client.get(REMOVE, { id: conversationId });
    expect(await usageOf(client, [])).toMatchObject([{ modelCalls: 1, estimatedCalls: 1 }]);
    expect(await countOf(turnId)).toBe(0);
  });

  it('while it is being named leaves nothing of what was said, and pays for it', async () => {
    const { step, reached, open } = barrier();
    keep = () => [step, toolCall('name_conversation', { title: 'Trop tard' }), finish()];
    const { turnId, conversationId } = await ask();
    await reached;
    await client.get(REMOVE, { id: conversationId });
    open();
    const [used] = await eventually(
      () => usageOf(client, []),
      ([row]) => (row?.modelCalls ?? 0) >= 2,
    );
    expect(used).toMatchObject({ modelCalls: 2, inputTokens: 20, outputTokens: 10 });
    expect(await countOf(turnId)).toBe(0);
  });
});

describe('what is past its retention', () => {
  it('has no prompts any more, nor the texts that they shared; what was used up stays', async () => {
    const question = newQuestion();
    const { turnId } = await client.ask(question);
    await seenToEnd(client, turnId);
    await callsOf(turnId, 2);
    const texts = 'SELECT digest FROM prompt_text';
    expect((await app.database.dataSource.query<unknown[]>(texts)).length).toBeGreaterThan(0);
    const used = await usageOf(client, []);
    const { config, database, jobs, logger } = app.server.resources;
    const retention = new EventRetention(
      config,
      database,
      jobs,
      new TurnEventRepository(config),
      new PromptTextRepository(),
      logger,
    );
    const later = new Date(Date.now() + (config.turns.eventRetentionDays + 2) * DAY_MS);
    await retention.keep(new AbortController().signal, later);
    expect(await promptsOf(client, turnId)).toEqual([]);
    expect(await app.database.dataSource.query<unknown[]>(texts)).toEqual([]);
    expect(await usageOf(client, [])).toEqual(used);
    expect(await turnOf(client, turnId)).toMatchObject({ status: 'COMPLETED', question: { text: question } });
  });
});
