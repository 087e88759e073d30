import { jest } from '@jest/globals';

import { newId } from '../src/common/ids.js';
import type { JsonObject } from '../src/common/json.js';
import { finish, gate, reasoning, text, toolCall } from '../src/llm/scripted-chat-model.js';
import type { ProviderReply } from '../src/llm/scripted-provider.js';
import { TraceErasure } from '../src/turns/erasure/trace-erasure.service.js';
import { resolve, untilWaiting } from './harness/approval-view.js';
import { eventually } from './harness/eventually.js';
import { forget, memoriesOf, remember } from './harness/memory-view.js';
import { identityOf } from './harness/notification-view.js';
import { lastOf, readRequest, systemOf } from './harness/provider-request.js';
import { startApp, type TestApp } from './harness/start-app.js';
import { tablesHolding } from './harness/stored-anywhere.js';
import type { TestClient } from './harness/test-client.js';

const THERESE = { assistantKey: 'therese' };
const HOUR_MS = 3_600_000;

const SUBJECT = 'Breakfast';

let app: TestApp;
/** The application's own. */
let erasure: TraceErasure;
let company: string;
let companyId: string;
/** Of one test alone, with signs that JSON and patterns write otherwise. */
let content: string;
let awa: TestClient;
let ben: TestClient;
let ada: TestClient;
let reply: (body: JsonObject) => ProviderReply;

const isTask = (body: JsonObject): boolean => readRequest(body).tool_choice?.function !== undefined;

beforeAll(async () => {
  const started = jest.spyOn(TraceErasure.prototype, 'onApplicationBootstrap');
  app = await startApp((body) =>
    isTask(body) ? [toolCall('note_memories', { memories: [] }), finish()] : reply(body),
  );
  [erasure] = started.mock.contexts as [TraceErasure];
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  company = await app.company();
  awa = await app.client({ company, sub: 'awa', role: 'MEMBER' });
  ben = await app.client({ company, sub: 'ben', role: 'MEMBER' });
  ada = await app.client({ company, sub: 'ada', role: 'ADMIN' });
  ({ companyId } = await identityOf(ada));
  content = `drinks "thé vert" (100 %) \\ no sugar ${newId()}`;
});

/** Asks, and waits for the answer; gives the system message that the model got. */
const ask = async (asker: TestClient, question: string): Promise<string> => {
  let system = '';
  reply = (body) => {
    system = systemOf(body);
    return [text('Voilà.'), finish()];
  };
  await asker.allEvents((await asker.ask(question, THERESE)).turnId);
  return system;
};

/** Has the model note something by its skill, and gives the memory's id. */
const note = async (asker: TestClient, memory: JsonObject): Promise<string> => {
  reply = (body) =>
    lastOf(body).role === 'tool' ? [text('Noted.'), finish()] : [toolCall('remember', memory), finish()];
  await asker.allEvents((await asker.ask('Keep that in mind.', THERESE)).turnId);
  const [noted] = await memoriesOf(asker, { active: true });
  return noted!.id;
};

/** As they are stored in JSON within JSON. */
const written = (text: string): string[] => {
  const inJson = JSON.stringify(text).slice(1, -1);
  return [text, inJson, JSON.stringify(inJson).slice(1, -1)];
};

const holding = async (): Promise<string[]> => {
  const found = await Promise.all(written(content).map((form) => tablesHolding(app.database, form)));
  return [...new Set(found.flat())].toSorted();
};

/** What the job does when it looks again, left out: an hour later; rejects when the signal is aborted. */
const lookAgain = async ({
  signal = new AbortController().signal,
  now = new Date(Date.now() + HOUR_MS),
} = {}): Promise<void> => {
  const rows = await app.database.transaction(companyId, (tx) =>
    tx.query<{ id: string }>('SELECT id FROM erasure'),
  );
  for (const { id } of rows) await erasure.erase(companyId, id, signal, now);
};

it('what a skill noted and later turns were told is in no table once it is forgotten', async () => {
  const id = await note(awa, { kind: 'PREFERENCE', subject: SUBJECT, content });
  expect(await ask(awa, 'What do I have for breakfast?')).toContain(content);
  expect(await holding()).toEqual(['memory', 'model_call', 'prompt_text', 'skill_call', 'turn_event']);

  await forget(awa, id);

  // The row that says what to erase is left until nobody can store it again.
  expect(
    await eventually(
      () => holding(),
      (tables) => tables.length <= 1,
    ),
  ).toEqual(['erasure']);
  await lookAgain();
  expect(await holding()).toEqual([]);
  expect(await ask(awa, 'What do I have for breakfast?')).not.toContain(content);
});

it('admins see in the prompts of the past that something was there', async () => {
  const { id } = await remember(awa, { kind: 'PREFERENCE', subject: SUBJECT, content });
  await ask(awa, 'What do I have for breakfast?');
  await forget(awa, id);
  await lookAgain();
  const [kept] = await app.database.transaction(companyId, (tx) =>
    tx.query<{ content: string }>(`SELECT content FROM prompt_text WHERE content LIKE '%<memory>%'`),
  );
  expect(kept?.content).toMatch(/- \[…\].*\[…\]/);
});

it('what the company shared is erased from everybody’s turns', async () => {
  const { id } = await remember(ada, {
    kind: 'PREFERENCE',
    subject: SUBJECT,
    content,
    shared: true,
  });
  expect(await ask(ben, 'What is there for breakfast?')).toContain(content);
  expect(await ask(awa, 'What is there for breakfast?')).toContain(content);
  await forget(ada, id);
  await lookAgain();
  expect(await holding()).toEqual([]);
});

it('the same words of another member stay', async () => {
  const { id } = await remember(awa, { kind: 'PREFERENCE', subject: SUBJECT, content });
  await remember(ben, { kind: 'PREFERENCE', subject: SUBJECT, content });
  await ask(awa, 'What do I have for breakfast?');
  await ask(ben, 'What do I have for breakfast?');
  await forget(awa, id);
  await lookAgain();
  expect(await holding()).toEqual(['memory', 'prompt_text']);
  expect(await ask(ben, 'And now?')).toContain(content);
});

it('a turn that was under way is looked at again when it has ended', async () => {
  const { id } = await remember(awa, { kind: 'PREFERENCE', subject: SUBJECT, content });
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  reply = () => {
    asked.resolve();
    return [gate(answer.promise), text('Voilà.'), finish()];
  };
  const { turnId } = await awa.ask('What do I have for breakfast?', THERESE);
  await asked.promise;
  await forget(awa, id);
  await lookAgain();
  // It is kept for as long as the turn may store what it was told.
  expect(await holding()).toContain('erasure');
  answer.resolve();
  await awa.allEvents(turnId);
  await lookAgain({ now: new Date() });
  // Something may still be written beside the turn.
  expect(await holding()).toEqual(['erasure']);
  await lookAgain();
  expect(await holding()).toEqual([]);
});

it('what a model thought of it goes, though the turn still waits for somebody', async () => {
  const { id } = await remember(awa, { kind: 'PREFERENCE', subject: SUBJECT, content });
  await ada.get('mutation { setSkillApproval(key: "remember", required: true) { key } }');
  let last: JsonObject = {};
  reply = (body) => {
    last = body;
    if (lastOf(body).role === 'tool') return [text('Noted.'), finish()];
    const call = toolCall('remember', { kind: 'FACT', subject: 'Colour', content: 'likes blue' });
    return [reasoning(`It is known: ${content}.`), call, finish()];
  };
  const { turnId } = await awa.ask('I like blue.', THERESE);
  const [asked] = await untilWaiting(awa, turnId);
  expect(await holding()).toContain('step_echo');

  await forget(awa, id);
  await lookAgain();
  expect(await holding()).toEqual(['erasure']);
  await resolve(ada, { approvalId: asked!.id, approve: true });
  await awa.allEvents(turnId);
  const said = readRequest(last).messages.find(({ tool_calls: made }) => made);
  expect(said).not.toHaveProperty('reasoning_content');
  await lookAgain();
  expect(await holding()).toEqual([]);
});

it('a round that is stopped leaves the rest to the next one', async () => {
  const { id } = await remember(awa, { kind: 'PREFERENCE', subject: SUBJECT, content });
  await ask(awa, 'What do I have for breakfast?');
  await ask(awa, 'And for lunch?');
  await forget(awa, id);
  await expect(lookAgain({ signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  expect(await holding()).toContain('erasure');
  await lookAgain();
  expect(await holding()).toEqual([]);
});

it('what it was learned from is recalled no more, nor the answer to it', async () => {
  const id = await note(awa, { kind: 'PREFERENCE', subject: SUBJECT, content });
  const ofNote = (): Promise<{ withheld: boolean }[]> =>
    app.database.transaction(companyId, (tx) => tx.query('SELECT withheld FROM message'));
  expect(await ofNote()).toEqual([{ withheld: false }, { withheld: false }]);
  await forget(awa, id);
  expect(await ofNote()).toEqual([{ withheld: true }, { withheld: true }]);
});

it('an answer that told of it is recalled no more, and others are', async () => {
  const { id } = await remember(awa, { kind: 'FACT', subject: SUBJECT, content: `${content}.` });
  const say = async (question: string, answer: string): Promise<void> => {
    reply = () => [text(answer), finish()];
    await awa.allEvents((await awa.ask(question, THERESE)).turnId);
  };
  await say('What do I have for breakfast?', `It is known: awa ${content}, every day.`);
  await say('And for lunch?', 'Nobody told me.');
  await forget(awa, id);
  await lookAgain();
  const messages = await app.database.transaction(companyId, (tx) =>
    tx.query<{ text: string; withheld: boolean }>('SELECT text, withheld FROM message ORDER BY id'),
  );
  expect(messages.map(({ withheld }) => withheld)).toEqual([false, true, false, false]);
  expect(await ask(awa, 'What do I drink for breakfast?')).not.toContain(content);
});

it('an answer that was still to come when its question was withheld is not recalled either', async () => {
  const noted = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  reply = (body) => {
    if (lastOf(body).role !== 'tool') {
      return [toolCall('remember', { kind: 'PREFERENCE', subject: SUBJECT, content }), finish()];
    }
    noted.resolve();
    return [gate(answer.promise), text('Noted.'), finish()];
  };
  const { turnId } = await awa.ask('Keep that in mind.', THERESE);
  await noted.promise;
  const [memory] = await memoriesOf(awa, { active: true });
  await forget(awa, memory!.id);
  answer.resolve();
  await awa.allEvents(turnId);
  await lookAgain();
  const messages = await app.database.transaction(companyId, (tx) =>
    tx.query('SELECT role, withheld FROM message ORDER BY id'),
  );
  expect(messages).toEqual([
    { role: 'USER', withheld: true },
    { role: 'ASSISTANT', withheld: true },
  ]);
  expect(await holding()).toEqual([]);
});
