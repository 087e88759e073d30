import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { type ProviderReply, status } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { extractMemories } from '../../src/agent/upkeep/upkeep.job.js';
import { jobsDone, jobsOf } from '../harness/jobs-view.js';
import { forget, memoriesOf, remember } from '../harness/memory-view.js';
import { identityOf } from '../harness/notification-view.js';
import { lastOf, questionOf, readRequest } from '../harness/provider-request.js';
import { barrier } from '../harness/script-book.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { turnOf } from '../harness/turn-view.js';

const THERESE = { assistantKey: 'therese' };

let app: TestApp;
let company: string;
let companyId: string;
/** A member, another one, and an admin. */
let awa: TestClient;
let ben: TestClient;
let ada: TestClient;
let answer: (body: JsonObject) => ProviderReply;
/** What the model that looks through what was said says, and what it was asked. */
let note: (body: JsonObject) => ProviderReply;
let asked: JsonObject[];

function isTask(body: JsonObject): boolean {
  return readRequest(body).tool_choice?.function?.name === 'note_memories';
}

beforeAll(async () => {
  app = await shareApp((body) => {
    if (!isTask(body)) return answer(body);
    asked.push(body);
    return note(body);
  });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  asked = [];
  answer = () => [text('Entendu.'), finish()];
  noting();
  company = await app.company();
  awa = await app.client({ company, sub: 'awa', role: 'MEMBER' });
  ben = await app.client({ company, sub: 'ben', role: 'MEMBER' });
  ada = await app.client({ company, sub: 'ada', role: 'ADMIN' });
  ({ companyId } = await identityOf(ada));
});

/** A model that would note these, one list after the other, then nothing. */
function noting(...lists: unknown[][]): void {
  note = () => [toolCall('note_memories', { memories: lists.shift() ?? [] } as JsonObject), finish()];
}

function fact(subject: string, content: string, more: object = {}) {
  return {
    kind: 'FACT',
    subject,
    content,
    message: 'question',
    ...more,
  };
}

interface Said {
  turnId: string;
  conversationId: string;
  questionId: string;
}

/** Says something to the assistant, and waits until it has been answered. */
async function say(message: string, input: object = THERESE, asker = awa): Promise<Said> {
  const { turnId, conversationId } = await asker.ask(message, input);
  const events = await asker.allEvents(turnId);
  expect(events.at(-1)).toMatchObject({ status: 'COMPLETED' });
  return { turnId, conversationId, questionId: (await turnOf(asker, turnId)).question.id };
}

/** The same, and waits until it has been looked through. */
async function tell(message: string, input: object = THERESE): Promise<Said> {
  const said = await say(message, input);
  await jobsDone(app, 'extract-memories', said.turnId);
  return said;
}

/** Has a turn looked through once more, as after a process that died before it could say that it was done. */
async function again(turnId: string): Promise<void> {
  const { jobs, database } = app.server.resources;
  const done = (await jobsOf(app, 'extract-memories', turnId)).length;
  await database.transaction(companyId, (tx) => jobs.enqueue(tx, extractMemories, { companyId, turnId }));
  await jobsDone(app, 'extract-memories', turnId, done + 1);
}

async function contentsOf(asker: TestClient = awa): Promise<string[]> {
  return (await memoriesOf(asker, { active: true })).map(({ content }) => content);
}

function materialOf(body: JsonObject | undefined): string {
  return lastOf(body).content;
}

describe('what is noted after a turn', () => {
  it('is what the member said, with its source, for this member and the next conversation', async () => {
    noting([
      {
        kind: 'CONTACT',
        subject: 'Ben Ode',
        content: 'Collègue à Dakar.',
        attributes: { email: 'ben@example.org' },
        message: 'question',
      },
      { ...fact('réponses', 'Les veut courtes.'), kind: 'PREFERENCE' },
    ]);
    const { questionId } = await tell(
      'Mon collègue Ben Ode, de Dakar (ben@example.org), aime le thé. Réponds court.',
    );
    expect(await memoriesOf(awa)).toMatchObject([
      { kind: 'PREFERENCE', content: 'Les veut courtes.', source: 'EXTRACTION', sourceMessageId: questionId },
      {
        kind: 'CONTACT',
        subject: 'Ben Ode',
        attributes: { email: 'ben@example.org' },
        shared: false,
        sourceMessageId: questionId,
      },
    ]);
    expect(await memoriesOf(ben)).toEqual([]);
    let prompt = '';
    answer = (body) => {
      prompt = questionOf(body);
      return [text('Entendu.'), finish()];
    };
    await say('Écris à Ben Ode.');
    expect(prompt).toContain('ben@example.org');
  });

  it('is asked for with the day, what was said before, and what is known, by numbers', async () => {
    await remember(awa, { kind: 'FACT', subject: 'bureau', content: 'Au 3e étage.' });
    const { conversationId } = await tell('Où est mon bureau ?');
    await tell('Au 4e, désormais.', { conversationId });
    const [system] = readRequest(asked.at(-1)).messages;
    expect(system?.content).toContain('note_memories');
    const [day = ''] = new Date().toISOString().split('T');
    const material = materialOf(asked.at(-1));
    expect(material).toContain(`# Aujourd'hui\n${day}\n`);
    expect(material).toContain(`# Déjà noté\n1. [FACT] bureau: Au 3e étage. (${day})\n`);
    expect(material).toContain('# Auparavant\nMembre:\n> Où est mon bureau ?\n\nAssistant:\n> Entendu.\n');
    expect(material).toContain('# La question\nMembre:\n> Au 4e, désormais.\n');
    expect(material).toMatch(/# La réponse\nAssistant:\n> Entendu\.$/);
  });

  it('takes the place of what it contradicts, and is not noted beside it', async () => {
    const before = await remember(awa, { kind: 'FACT', subject: 'bureau', content: 'Au 3e étage.' });
    noting([fact('étage', 'Au 4e étage.', { replaces: 1 })]);
    await tell('Mon bureau est au 4e, désormais.');
    expect(await memoriesOf(awa, { active: true })).toMatchObject([
      { subject: 'bureau', content: 'Au 4e étage.', history: [{ id: before.id }] },
    ]);
  });

  it('is not what is known already, in other letters or on another subject', async () => {
    await remember(awa, { kind: 'FACT', subject: 'bureau', content: 'Au 3e étage.' });
    await remember(ada, { kind: 'FACT', subject: 'cantine', content: 'Fermée le lundi.', shared: true });
    noting([fact('Bureau', 'au 3e étage'), fact('étage', 'AU 3E ETAGE.'), fact('lundi', 'Fermée le lundi')]);
    await tell('Mon bureau est au 3e étage, et la cantine fermée le lundi.');
    expect(await memoriesOf(awa)).toHaveLength(2);
  });

  it('leaves out what is secret, sensitive, made up or not fit, each by itself', async () => {
    noting([
      fact('Wi-Fi', 'Le mot de passe est baobab2024.'),
      fact('santé', 'Est diabétique.'),
      { ...fact('Marc', 'Client.', { attributes: { email: 'marc@invente.example' } }), kind: 'CONTACT' },
      { ...fact('—', 'Un projet sans nom.'), kind: 'PROJECT' },
      fact('bureau', 'Au 3e étage.'),
      fact('sixième', 'Une de trop.'),
    ]);
    await tell('Beaucoup de choses, et mon bureau est au 3e étage.');
    expect(await contentsOf()).toEqual(['Au 3e étage.']);
  });

  it('is nothing that the assistant alone says', async () => {
    noting([fact('financement', 'Le fonds vert prête à 3 %.', { message: 'answer' })]);
    await tell('Qui prête ?');
    expect(await memoriesOf(awa)).toEqual([]);
  });

  it.each<[string, ProviderReply]>([
    ['fails', [status(500)]],
    ['says nothing of use', [text('Je n’ai rien trouvé.'), finish()]],
    ['breaks off', [toolCall('note_memories', '{"memories": [{"kind": '), finish()]],
    ['gives something else', [toolCall('note_memories', { memories: 'Paris' }), finish()]],
  ])('is nothing when the model %s, which nobody sees', async (_, broken) => {
    note = () => broken;
    const { turnId } = await tell('Mon bureau est au 3e étage.');
    expect(await turnOf(awa, turnId)).toMatchObject({ status: 'COMPLETED', error: null });
    expect(await memoriesOf(awa)).toEqual([]);
  });

  it('may be said by a model that cannot be made to call a function', async () => {
    note = () => [text(JSON.stringify({ memories: [fact('bureau', 'Au 3e étage.')] })), finish()];
    await tell('Mon bureau est au 3e étage.');
    expect(await contentsOf()).toEqual(['Au 3e étage.']);
  });

  it('is counted as what it is', async () => {
    await tell('Mon bureau est au 3e étage.');
    const calls = await app.database.read(companyId, (tx) =>
      tx.query<{ purpose: string }>('SELECT purpose FROM model_call ORDER BY id'),
    );
    expect(calls.map(({ purpose }) => purpose)).toEqual(['ANSWER', 'MEMORY']);
  });
});

describe('a turn that is looked through twice', () => {
  it('has nothing noted twice, and the model is not asked again', async () => {
    noting([fact('bureau', 'Au 3e étage.')], [fact('étage', 'Son bureau se trouve au troisième.')]);
    const { turnId } = await tell('Mon bureau est au 3e étage.');
    await again(turnId);
    expect(await contentsOf()).toEqual(['Au 3e étage.']);
    expect(asked).toHaveLength(1);
  });

  it('does not bring back what was forgotten', async () => {
    noting([fact('bureau', 'Au 3e étage.')], [fact('bureau', 'Au 3e étage.')]);
    const { turnId } = await tell('Mon bureau est au 3e étage.');
    const [memory] = await memoriesOf(awa);
    await forget(awa, memory!.id);
    await again(turnId);
    expect(await memoriesOf(awa)).toEqual([]);
    expect(asked).toHaveLength(1);
  });
});

describe('while a turn is looked through', () => {
  const meanwhile = async (facts: unknown[], work: () => Promise<unknown>): Promise<void> => {
    const thinking = barrier();
    note = () => [thinking.step, toolCall('note_memories', { memories: facts } as JsonObject), finish()];
    const { turnId } = await say('Mon bureau est au 3e étage.');
    await thinking.reached;
    await work();
    thinking.open();
    await jobsDone(app, 'extract-memories', turnId);
  };

  it('what is noted on the subject stays: it is newer', async () => {
    await meanwhile([fact('bureau', 'Au 3e étage.')], () =>
      remember(awa, { kind: 'FACT', subject: 'Bureau', content: 'Au 5e étage.' }),
    );
    expect(await contentsOf()).toEqual(['Au 5e étage.']);
  });

  it('what is forgotten does not come back as its correction', async () => {
    const { id } = await remember(awa, { kind: 'FACT', subject: 'bureau', content: 'Au rez-de-chaussée.' });
    await meanwhile([fact('étage', 'Au 3e étage.', { replaces: 1 })], () => forget(awa, id));
    expect(await memoriesOf(awa)).toEqual([]);
  });
});

it('a turn that is looked through late does not bring back what was forgotten since', async () => {
  const thinking = barrier();
  note = () => [thinking.step, text('Rien.'), finish()];
  const { turnId } = await say('Mon bureau est au 3e étage.');
  await thinking.reached;
  thinking.open();
  await jobsDone(app, 'extract-memories', turnId);
  const { id } = await remember(awa, { kind: 'FACT', subject: 'bureau', content: 'Au 3e étage.' });
  await forget(awa, id);
  noting([fact('bureau', 'Au 3e étage.')]);
  await again(turnId);
  expect(await memoriesOf(awa)).toEqual([]);
});

describe('a turn that is not looked through', () => {
  const calls = (skill: string, input: JsonObject): void => {
    answer = (body) =>
      lastOf(body).role === 'tool' ? [text('Voilà.'), finish()] : [toolCall(skill, input), finish()];
  };

  it.each<[string, JsonObject]>([
    ['remember', { kind: 'FACT', subject: 'bureau', content: 'Au 3e étage.' }],
    ['remember', { kind: 'FACT', subject: 'bureau', content: 'Le mot de passe est baobab2024.' }],
    ['forget_memory', { subject: 'bureau' }],
  ])('is one in which the assistant has seen to it: %s %j', async (skill, input) => {
    calls(skill, input);
    noting([fact('étage', 'Au troisième.')]);
    await tell('Mon bureau est au 3e étage.');
    expect(asked).toEqual([]);
    expect(await contentsOf()).not.toContain('Au troisième.');
  });

  it('is one of an assistant that does not note by itself', async () => {
    const { turnId } = await say('Mon bureau est au 3e étage.', { assistantKey: 'mefali' });
    expect(await jobsOf(app, 'extract-memories', turnId)).toEqual([]);
  });

  it('is one of an assistant that was told not to', async () => {
    await ada.get(`mutation { updateAssistant(key: "therese", input: { extractsMemories: false }) { key } }`);
    const { turnId } = await say('Mon bureau est au 3e étage.');
    expect(await jobsOf(app, 'extract-memories', turnId)).toEqual([]);
  });
});
