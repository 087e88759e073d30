import { finish, gate, reasoning, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { extractMemories } from '../../src/agent/upkeep/upkeep.job.js';
import { SystemClock } from '../../src/common/clock.js';
import { newId } from '../../src/common/ids.js';
import { TraceErasure } from '../../src/conversations/turns/erasure/trace-erasure.service.js';
import { resolve, untilWaiting } from '../harness/approval-view.js';
import { eventually } from '../harness/eventually.js';
import { jobsDone } from '../harness/jobs-view.js';
import { forget, memoriesOf, remember } from '../harness/memory-view.js';
import { identityOf } from '../harness/notification-view.js';
import { isUpkeep, lastOf, questionOf, readRequest } from '../harness/provider-request.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import { tablesHolding } from '../harness/stored-anywhere.js';
import type { TestClient } from '../harness/test-client.js';
import { cancelTurn } from '../harness/turn-view.js';

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
/** The answer to what a model is asked beside a turn. */
let replyAside: () => ProviderReply;

function isTask(body: JsonObject): boolean {
  return readRequest(body).tool_choice?.function !== undefined;
}

beforeAll(async () => {
  const started = vi.spyOn(TraceErasure.prototype, 'onApplicationBootstrap');
  app = await startApp((body) => (isTask(body) ? replyAside() : reply(body)));
  [erasure] = started.mock.contexts as [TraceErasure];
});
afterAll(() => app[Symbol.asyncDispose]());
const NOTHING_NOTED = [toolCall('note_memories', { memories: [] }), finish()];

beforeEach(async () => {
  replyAside = () => NOTHING_NOTED;
  company = await app.company();
  awa = await app.client({ company, sub: 'awa', role: 'MEMBER' });
  ben = await app.client({ company, sub: 'ben', role: 'MEMBER' });
  ada = await app.client({ company, sub: 'ada', role: 'ADMIN' });
  ({ companyId } = await identityOf(ada));
  content = `drinks "thé vert" (100 %) \\ no sugar ${newId()}`;
});

/** Asks, and waits for the answer; gives what the model was told with the question. */
async function ask(asker: TestClient, question: string): Promise<string> {
  let told = '';
  reply = (body) => {
    if (!isUpkeep(body)) told = questionOf(body);
    return [text('Voilà.'), finish()];
  };
  const { turnId } = await asker.ask(question, THERESE);
  await asker.allEvents(turnId);
  // What is looked for in a turn afterwards is told what is known already, in a call that is kept as well.
  await jobsDone(app, extractMemories.name, turnId);
  return told;
}

/** Has the model note something by its skill, and gives the memory's id. */
async function note(asker: TestClient, memory: JsonObject): Promise<string> {
  reply = (body) =>
    lastOf(body).role === 'tool' ? [text('Noted.'), finish()] : [toolCall('remember', memory), finish()];
  await asker.allEvents((await asker.ask('Keep that in mind.', THERESE)).turnId);
  const [noted] = await memoriesOf(asker, { active: true });
  return noted!.id;
}

/** As they are stored in JSON within JSON. */
function written(text: string): string[] {
  const inJson = JSON.stringify(text).slice(1, -1);
  return [text, inJson, JSON.stringify(inJson).slice(1, -1)];
}

async function holding(): Promise<string[]> {
  const found = await Promise.all(written(content).map((form) => tablesHolding(app.database, form)));
  return [...new Set(found.flat())].toSorted();
}

/** What the job does when it looks again, left out: an hour later; rejects when the signal is aborted. */
async function lookAgain({
  signal = new AbortController().signal,
  now = new Date(Date.now() + HOUR_MS),
} = {}): Promise<void> {
  const rows = await app.database.transaction(companyId, (tx) =>
    tx.query<{ id: string }>('SELECT id FROM erasure'),
  );
  for (const { id } of rows) await erasure.erase(companyId, id, signal, now);
}

it('what a skill noted and later turns were told is in no table once it is forgotten', async () => {
  const id = await note(awa, { kind: 'PREFERENCE', subject: SUBJECT, content });
  expect(await ask(awa, 'What do I have for breakfast?')).toContain(content);
  expect(await holding()).toEqual(['memory', 'model_call', 'skill_call', 'turn_event']);

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
    tx.query<{ messages: string }>(
      `SELECT messages::text FROM model_call WHERE purpose = 'ANSWER' AND messages::text LIKE '%<memory>%'`,
    ),
  );
  expect(kept?.messages).toMatch(/- \[…\].*\[…\]/);
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
  expect(await holding()).toEqual(['memory', 'model_call']);
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

it('what is still written beside a turn that began and ended long before goes too', async () => {
  const { id } = await remember(awa, { kind: 'PREFERENCE', subject: SUBJECT, content });
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  reply = () => [text('Voilà.'), finish()];
  replyAside = () => {
    asked.resolve();
    return [gate(answer.promise), ...NOTHING_NOTED];
  };
  const { turnId } = await awa.ask('What do I have for breakfast?', THERESE);
  await awa.allEvents(turnId);
  await asked.promise;
  const later = new Date(Date.now() + 2 * HOUR_MS);
  const clock = vi.spyOn(SystemClock.prototype, 'now').mockReturnValue(later);
  try {
    await forget(awa, id);
    await lookAgain({ now: later });
    answer.resolve();
    await jobsDone(app, extractMemories.name, turnId);
  } finally {
    clock.mockRestore();
  }
  // The row that says what to erase is there still; what came too late may be gone by it already.
  expect(await holding()).toContain('erasure');
  await lookAgain({ now: new Date(later.getTime() + HOUR_MS) });
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

it('why a model wanted something that nobody allowed goes, though its prompts are past their retention', async () => {
  const { id } = await remember(awa, { kind: 'PREFERENCE', subject: SUBJECT, content });
  await ada.get('mutation { setSkillApproval(key: "get_company_profile", required: true) { key } }');
  reply = () => [text(`It is known: ${content}.`), toolCall('get_company_profile', {}), finish()];
  const { turnId } = await awa.ask('Who are we?', THERESE);
  await untilWaiting(awa, turnId);
  await cancelTurn(awa, turnId);
  await app.database.transaction(companyId, async (tx) => {
    for (const table of ['model_call', 'turn_event'])
      await tx.query(`DELETE FROM ${table} WHERE company_id = $1 AND turn_id = $2`, [companyId, turnId]);
  });
  expect(await holding()).toContain('pending_input');

  await forget(awa, id);
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

it('nor is one whose reasoning did', async () => {
  await ada.get('mutation { updateAssistant(key: "therese", input: { showsReasoning: true }) { id } }');
  const { id } = await remember(awa, { kind: 'FACT', subject: SUBJECT, content: `${content}.` });
  reply = () => [reasoning(`It is known: awa ${content}.`), text('As ever.'), finish()];
  await awa.allEvents((await awa.ask('What do I have for breakfast?', THERESE)).turnId);
  await forget(awa, id);
  await lookAgain();
  const messages = await app.database.transaction(companyId, (tx) =>
    tx.query<{ withheld: boolean }>('SELECT withheld FROM message ORDER BY id'),
  );
  expect(messages.map(({ withheld }) => withheld)).toEqual([false, true]);
});

it('a title that was made of what told of it is the question’s again, or none where the question did', async () => {
  const noted = await note(awa, { kind: 'PREFERENCE', subject: SUBJECT, content });
  reply = () => [text(`It is known: awa ${content}, every day.`), finish()];
  await awa.allEvents((await awa.ask('What do I have for breakfast?', THERESE)).turnId);
  reply = () => [text('Nobody told me.'), finish()];
  await awa.allEvents((await awa.ask('And for lunch?', THERESE)).turnId);
  const titles = (): Promise<{ title: string | null }[]> =>
    app.database.transaction(companyId, (tx) => tx.query('SELECT title FROM conversation ORDER BY id'));
  await app.database.transaction(companyId, (tx) => tx.query(`UPDATE conversation SET title = 'Green tea'`));
  await forget(awa, noted);
  await lookAgain();
  expect(await titles()).toEqual([
    { title: null },
    { title: 'What do I have for breakfast?' },
    { title: 'Green tea' },
  ]);
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
