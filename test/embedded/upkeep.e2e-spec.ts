import { setTimeout as sleep } from 'node:timers/promises';
import { finish, gate, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { type ProviderReply, status } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { followChanges, type ListedView, nextThat, ONE_CHANGED } from '../harness/conversation-changes.js';
import { seenToEnd } from '../harness/laws.js';
import { readRequest, systemOf } from '../harness/provider-request.js';
import { newQuestion, ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const book = new ScriptBook();
let app: TestApp;
let client: TestClient;
/** What the model is asked for besides answering, and what it says to it. */
let keep: (task: string, body: JsonObject) => ProviderReply;
let kept: JsonObject[];

function taskOf(body: JsonObject): string | undefined {
  return readRequest(body).tool_choice?.function?.name;
}

async function start(titles: 'model' | 'question'): Promise<void> {
  const reply = (body: JsonObject): ProviderReply => {
    const task = taskOf(body);
    if (task === undefined) return book.replyTo(body);
    kept.push(body);
    return keep(task, body);
  };
  app = await startApp(reply, { CONVERSATION_TITLES: titles });
  client = await app.client();
}
beforeEach(() => {
  kept = [];
  keep = () => [status(500)];
});

interface Kept {
  title: string;
  summary: string | null;
}

async function conversationOf(id: string): Promise<Kept> {
  return (
    await client.get<{ conversation: Kept }>('query ($id: ID!) { conversation(id: $id) { title summary } }', {
      id,
    })
  ).conversation;
}

/** Resolves once the job of the turn is done, or what it has done is to be done again. Nothing tells of it. */
async function jobDone(turnId: string): Promise<void> {
  const done = `SELECT FROM pgboss.job WHERE name = 'keep-conversation' AND data ->> 'turnId' = $1
    AND state IN ('completed', 'failed', 'retry')`;
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await app.database.dataSource.query<unknown[]>(done, [turnId])).length > 0) return;
    await sleep(50);
  }
  throw new Error('Nothing was done for the conversation within ten seconds.');
}

async function answered(question: string, conversationId?: string) {
  const asking = await client.ask(question, conversationId ? { conversationId } : undefined);
  const events = await seenToEnd(client, asking.turnId);
  expect(events.at(-1)).toMatchObject({ status: 'COMPLETED', finishReason: 'ANSWERED' });
  return asking;
}

/** A conversation of so many questions and answers; its own words, in their order. */
async function talk(turns: number, conversationId?: string) {
  const questions = Array.from({ length: turns }, newQuestion);
  let last = { turnId: '', conversationId: conversationId ?? '' };
  for (const question of questions) {
    last = await answered(question, last.conversationId === '' ? undefined : last.conversationId);
  }
  return { ...last, questions };
}

function toldOf(body: JsonObject | undefined): string {
  return readRequest(body).messages.at(-1)?.content ?? '';
}

describe('the title of a conversation', () => {
  beforeAll(() => start('model'));
  afterAll(() => app[Symbol.asyncDispose]());

  it('is the model’s, after the first turn and never again', async () => {
    keep = () => [toolCall('name_conversation', { title: '« Bilan carbone de Thiès ».' }), finish()];
    const question = newQuestion();
    const { turnId, conversationId } = await answered(question);
    await jobDone(turnId);
    expect((await conversationOf(conversationId)).title).toBe('Bilan carbone de Thiès');
    expect(kept.map(taskOf)).toEqual(['name_conversation']);
    expect(toldOf(kept[0])).toContain(question);
    expect(toldOf(kept[0])).toContain('Nobody wrote this.');
    await answered(newQuestion(), conversationId);
    expect(kept).toHaveLength(1);
  });

  it('is told to whoever follows the conversation, and stays the member’s where there is one', async () => {
    const named = Promise.withResolvers<void>();
    keep = () => [
      gate(named.promise),
      toolCall('name_conversation', { title: 'Bilan carbone de Thiès' }),
      finish(),
    ];
    const [first, second] = [await answered(newQuestion()), await answered(newQuestion())];
    const told = await followChanges<ListedView>(client, ONE_CHANGED, { id: first.conversationId });
    const title = (await conversationOf(second.conversationId)).title;
    await client.get(
      'mutation ($id: ID!, $title: String) { updateConversation(input: { id: $id, title: $title }) { id } }',
      { id: second.conversationId, title },
    );
    named.resolve();
    await nextThat(told, (one) => one.title === 'Bilan carbone de Thiès');
    await told.return();
    await jobDone(second.turnId);
    expect((await conversationOf(second.conversationId)).title).toBe(title);
  });

  it.each<[string, ProviderReply]>([
    ['fails', [status(500)]],
    ['says nothing that could be one', [toolCall('name_conversation', '{"title": '), finish()]],
    ['is empty', [text(' "" '), finish()]],
  ])('stays the question’s when the model %s', async (_, broken) => {
    keep = () => broken;
    const question = newQuestion();
    const { turnId, conversationId } = await answered(question);
    await jobDone(turnId);
    expect(kept).toHaveLength(1);
    expect((await conversationOf(conversationId)).title).toBe(question);
  });

  it('is given to others while the model says nothing to one company', async () => {
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const silent = Array.from({ length: 8 }, newQuestion);
    keep = (_task, body) => [
      ...(silent.some((question) => toldOf(body).includes(question)) ? [gate(end)] : []),
      toolCall('name_conversation', { title: 'Bilan carbone de Thiès' }),
      finish(),
    ];
    for (const question of silent) {
      await seenToEnd(client, (await client.ask(question)).turnId);
    }
    const other = await app.client({ company: await app.company() });
    const asking = await other.ask(newQuestion());
    await seenToEnd(other, asking.turnId);
    await jobDone(asking.turnId);
    resolve();
  });

  it('may be said by a model that cannot be made to call a function', async () => {
    keep = () => [text('Émissions de 2025\n\nVoilà.'), finish()];
    const { turnId, conversationId } = await answered(newQuestion());
    await jobDone(turnId);
    expect((await conversationOf(conversationId)).title).toMatch(/^Émissions de 2025/);
  });
});

describe('the summary of a long conversation', () => {
  beforeAll(() => start('question'));
  afterAll(() => app[Symbol.asyncDispose]());

  const points = (count: number, word: string): string[] =>
    Array.from({ length: count }, (_, index) => `${word} ${index + 1}.`);
  const summary = (all: readonly string[]): string => all.map((point) => `- ${point}`).join('\n');
  const summing =
    (...all: string[][]) =>
    (): ProviderReply => [toolCall('keep_summary', { points: all.shift() ?? [] }), finish()];

  it('takes in what left the window with what leaves it next, so that the turns between need no call', async () => {
    keep = summing(points(4, 'Premier'), points(14, 'Second'));
    const { turnId, conversationId, questions } = await talk(11);
    await jobDone(turnId);
    expect((await conversationOf(conversationId)).summary).toBe(summary(points(4, 'Premier')));
    expect(kept.map(taskOf)).toEqual(['keep_summary']);
    for (const question of questions.slice(0, 4)) expect(toldOf(kept[0])).toContain(question);
    expect(toldOf(kept[0])).not.toContain(questions[4]);

    const between = await talk(3, conversationId);
    await jobDone(between.turnId);
    expect(kept).toHaveLength(1);
    const asked = app.provider.requests.findLast((body) => taskOf(body) === undefined);
    for (const point of points(4, 'Premier')) expect(systemOf(asked)).toContain(`- ${point}`);
    expect(JSON.stringify(asked)).not.toContain(questions[2]);
    expect(JSON.stringify(asked)).toContain(questions[4]);

    const next = await answered(newQuestion(), conversationId);
    await jobDone(next.turnId);
    expect(kept).toHaveLength(2);
    expect(toldOf(kept[1])).toContain(summary(points(4, 'Premier')));
    for (const question of questions.slice(4, 8)) expect(toldOf(kept[1])).toContain(question);
    expect(toldOf(kept[1])).not.toContain(questions[3]);
    expect(toldOf(kept[1])).not.toContain(questions[8]);
    expect((await conversationOf(conversationId)).summary).toBe(summary(points(10, 'Second')));
  });

  it('is made up for after the next turn when the model fails, which nobody sees', async () => {
    const { turnId, conversationId, questions } = await talk(11);
    await jobDone(turnId);
    expect(kept).toHaveLength(1);
    expect((await conversationOf(conversationId)).summary).toBeNull();
    keep = summing(points(3, 'Point'));
    const next = await answered(newQuestion(), conversationId);
    await jobDone(next.turnId);
    for (const question of questions.slice(0, 2)) expect(toldOf(kept[1])).toContain(question);
    expect((await conversationOf(conversationId)).summary).toBe(summary(points(3, 'Point')));
  });
});
