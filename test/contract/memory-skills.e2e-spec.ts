import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import { forget, memoriesOf, memoryNode, type MemoryView, remember } from '../harness/memory-view.js';
import { identityOf } from '../harness/notification-view.js';
import { lastOf, questionOf, readRequest, resultIn, toolsOf } from '../harness/provider-request.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { turnOf, type TurnView } from '../harness/turn-view.js';

const THERESE = { assistantKey: 'therese' };

let app: TestApp;
let company: string;
/** A member, another one, and an admin. */
let awa: TestClient;
let ben: TestClient;
let ada: TestClient;
let reply: (body: JsonObject) => ProviderReply;

function isTask(body: JsonObject): boolean {
  return readRequest(body).tool_choice?.function !== undefined;
}

beforeAll(async () => {
  app = await shareApp((body) =>
    isTask(body) ? [toolCall('note_memories', { memories: [] }), finish()] : reply(body),
  );
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  company = await app.company();
  awa = await app.client({ company, sub: 'awa', role: 'MEMBER' });
  ben = await app.client({ company, sub: 'ben', role: 'MEMBER' });
  ada = await app.client({ company, sub: 'ada', role: 'ADMIN' });
});

function today(daysAgo = 0): string {
  return new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
}

/** Has days gone by since all that the company remembers was noted. */
async function daysGoBy(days: number): Promise<void> {
  const { companyId } = await identityOf(ada);
  await app.database.transaction(companyId, (tx) =>
    tx.query(`UPDATE memory SET valid_from = valid_from - $1 * interval '1 day'`, [days]),
  );
}

/** Has so many facts in force that were noted just now. They are found by no words. */
async function addFacts(of: TestClient, count: number): Promise<void> {
  const { companyId, id: memberId } = await identityOf(of);
  await app.database.transaction(companyId, (tx) =>
    tx.query(
      `INSERT INTO memory (company_id, id, lineage_id, owner_id, kind, subject, subject_key, content, source, valid_from)
       SELECT $1, id, id, $2, 'FACT', id::text, id::text, 'So.', 'MEMBER', now() FROM unnest($3::uuid[]) AS added (id)`,
      [companyId, memberId, Array.from({ length: count }, newId)],
    ),
  );
}

interface Called extends TurnView {
  conversationId: string;
  /** What the skill told the model. */
  result: JsonObject;
}

/** Has the assistant call a skill, and gives what came of it. */
async function call(
  asker: TestClient,
  skill: string,
  input: JsonObject,
  where: object = THERESE,
): Promise<Called> {
  let result: JsonObject = {};
  reply = (body) => {
    const last = lastOf(body);
    if (last.role !== 'tool') return [toolCall(skill, input), finish()];
    result = resultIn(last.content) as JsonObject;
    return [text('Voilà.'), finish()];
  };
  const { turnId, conversationId } = await asker.ask('S’il vous plaît.', where);
  await asker.allEvents(turnId);
  return { ...(await turnOf(asker, turnId)), conversationId, result };
}

/** What the model is told before it answers a question in a new conversation. */
async function promptFor(asker: TestClient, question: string): Promise<string> {
  let prompt = '';
  reply = (body) => {
    prompt = questionOf(body);
    return [text('Voilà.'), finish()];
  };
  await asker.allEvents((await asker.ask(question, THERESE)).turnId);
  return prompt;
}

function inForce(asker: TestClient): Promise<MemoryView[]> {
  return memoriesOf(asker, { active: true });
}

async function contentsOf(asker: TestClient): Promise<string[]> {
  return (await inForce(asker)).map(({ content }) => content);
}

const answers = { kind: 'PREFERENCE', subject: 'réponses', content: 'Courtes, en tutoyant.' };
const marc = { kind: 'CONTACT', subject: 'Marc Diop', content: 'Comptable à Thiès.' };

describe('remember', () => {
  it('has it known the next day in another conversation, and from where', async () => {
    const { question, skillCalls, result } = await call(awa, 'remember', answers);
    expect(skillCalls).toMatchObject([
      { status: 'SUCCEEDED', resultPreview: 'C’est noté – réponses : Courtes, en tutoyant.' },
    ]);
    expect(await inForce(awa)).toMatchObject([
      { ...answers, id: result.id, source: 'SKILL', sourceMessageId: question.id, shared: false },
    ]);
    expect(result).toMatchObject({ ...answers, since: today() });
    await daysGoBy(1);
    expect(await promptFor(awa, 'Bonjour.')).toContain('Courtes, en tutoyant.');
    expect(await promptFor(ben, 'Bonjour.')).not.toContain('Courtes, en tutoyant.');
  });

  it('has the same noted once', async () => {
    const { result: first } = await call(awa, 'remember', answers);
    const { result, skillCalls } = await call(awa, 'remember', answers);
    expect(result.id).toBe(first.id);
    expect(skillCalls).toMatchObject([
      { resultPreview: 'C’était déjà noté – réponses : Courtes, en tutoyant.' },
    ]);
    expect(await memoriesOf(awa)).toHaveLength(1);
  });

  it('corrects what was noted, and says what it takes the place of', async () => {
    const email = 'marc@example.org';
    await call(awa, 'remember', { ...marc, attributes: { email, notes: 'Le matin.' } });
    const content = 'Comptable à Dakar.';
    const { result, skillCalls } = await call(awa, 'remember', {
      kind: 'CONTACT',
      subject: 'marc  DIOP',
      content,
      attributes: { notes: null },
    });
    expect(result).toMatchObject({ content, attributes: { email }, replaced: { content: marc.content } });
    expect(result.attributes).toEqual({ email });
    expect(skillCalls[0]?.resultPreview).toMatch(
      /^C’est noté – marc DIOP : Comptable à Dakar\. Cela remplace « Comptable à Thiès\. », du \d+ \p{L}+ \d{4}\.$/u,
    );
    const prompt = await promptFor(awa, 'Écris à Marc Diop.');
    expect(prompt).toContain(content);
    expect(prompt).not.toContain(marc.content);
  });

  it.each([
    [{ kind: 'FACT', subject: 'Wi-Fi', content: 'Le mot de passe est baobab2024.' }, /mots de passe/],
    [{ ...marc, attributes: { notes: 'IBAN FR7630006000011234567890189' } }, /numéros de carte ou de compte/],
    [{ ...marc, content: 'Est diabétique.' }, /d’autres personnes/],
  ])('refuses secrets and what is sensitive of others, in words for people: %j', async (note, words) => {
    const { skillCalls, result } = await call(awa, 'remember', note);
    expect(skillCalls).toMatchObject([{ status: 'FAILED', resultPreview: expect.stringMatching(words) }]);
    expect(result).toEqual({ error: expect.stringMatching(words) });
    expect(await memoriesOf(awa)).toEqual([]);
  });

  it('keeps what members ask to have kept of themselves', async () => {
    const note = { kind: 'FACT', subject: 'santé', content: 'Je suis diabétique.' };
    expect((await call(awa, 'remember', note)).skillCalls).toMatchObject([{ status: 'SUCCEEDED' }]);
  });

  it.each<[JsonObject, string]>([
    [{ ...marc, attributes: { email: 'marc' } }, 'attributes.email: This must be an e-mail address'],
    [{ ...marc, subject: '—' }, 'subject: A name must have a letter'],
    [{ ...marc, kind: 'PERSON' }, 'kind must be equal to one of the allowed values'],
    [{ kind: 'FACT', subject: 'x' }, "must have required property 'content'"],
  ])('tells the model what it can repair: %j', async (input, message) => {
    const { result } = await call(awa, 'remember', input);
    expect(result).toEqual({ error: expect.stringContaining(message) });
    expect(await memoriesOf(awa)).toEqual([]);
  });

  it('is refused where it is switched off', async () => {
    await ada.get('mutation { setSkillActive(key: "remember", active: false) { key } }');
    const { skillCalls } = await call(awa, 'remember', answers);
    expect(skillCalls).toMatchObject([{ skill: 'remember', status: 'FAILED' }]);
    expect(toolsOf(app.provider.requests.at(-1))).not.toContain('remember');
    expect(await memoriesOf(awa)).toEqual([]);
  });
});

describe('forget_memory', () => {
  it('erases it with all its versions, and says nothing of it any more', async () => {
    const kept = await remember(awa, answers);
    await remember(awa, marc);
    const { id } = await remember(awa, { ...marc, content: 'Comptable à Dakar.' });
    const { skillCalls, result } = await call(awa, 'forget_memory', { subject: 'marc diop' });
    expect(skillCalls).toMatchObject([{ status: 'SUCCEEDED', resultPreview: 'Oublié : un contact.' }]);
    expect(result).toEqual({ summary: 'Oublié : un contact.', forgotten: { kind: 'CONTACT' } });
    expect(await memoriesOf(awa)).toEqual([kept]);
    expect(await memoryNode(awa, id)).toBeNull();
    expect(await promptFor(awa, 'Écris à Marc Diop.')).not.toContain('Comptable');
  });

  it('erases the whole of what an id of an earlier version names', async () => {
    const { id } = await remember(awa, marc);
    await remember(awa, { ...marc, content: 'Comptable à Dakar.' });
    await call(awa, 'forget_memory', { id });
    expect(await memoriesOf(awa)).toEqual([]);
  });

  it('asks which one when several may be meant, and then erases that one', async () => {
    const project = await remember(awa, { kind: 'PROJECT', subject: 'Baobab', content: 'Bilan carbone.' });
    const fact = await remember(awa, { kind: 'FACT', subject: 'baobab', content: 'Un arbre.' });
    const { result, skillCalls } = await call(awa, 'forget_memory', { subject: 'Baobab' });
    expect(skillCalls).toMatchObject([
      { status: 'SUCCEEDED', resultPreview: '2 notes peuvent correspondre. Laquelle faut-il oublier ?' },
    ]);
    expect(result).toMatchObject({ forgotten: null });
    expect(new Set((result.candidates as { id: string }[]).map(({ id }) => id))).toEqual(
      new Set([project.id, fact.id]),
    );
    expect(await memoriesOf(awa)).toHaveLength(2);
    await call(awa, 'forget_memory', { subject: 'Baobab', kind: 'FACT' });
    expect(await memoriesOf(awa)).toEqual([project]);
    await call(awa, 'forget_memory', { id: project.id });
    expect(await memoriesOf(awa)).toEqual([]);
  });

  it('erases nothing that is only like what is named: done twice, it does not take the next best', async () => {
    const diop = await remember(awa, marc);
    await remember(awa, { ...marc, subject: 'Marc' });
    await call(awa, 'forget_memory', { subject: 'Marc' });
    const { result } = await call(awa, 'forget_memory', { subject: 'Marc' });
    expect(result).toMatchObject({ forgotten: null, candidates: [{ id: diop.id }] });
    expect(await memoriesOf(awa)).toEqual([diop]);
  });

  it('finds nothing of another member’s, by name or by id', async () => {
    const { id } = await remember(awa, marc);
    const bySubject = await call(ben, 'forget_memory', { subject: 'Marc Diop' });
    expect(bySubject.result).toEqual({ summary: 'Rien n’est noté sous ce sujet.', forgotten: null });
    const byId = await call(ben, 'forget_memory', { id });
    const unknown = await call(ben, 'forget_memory', { id: 'there-is-none' });
    expect(byId.result).toEqual({ error: expect.stringContaining('There is no note with this id') });
    expect(unknown.result).toEqual(byId.result);
    expect(await memoriesOf(awa)).toHaveLength(1);
  });

  it('leaves to admins what is the company’s', async () => {
    const { id } = await remember(ada, { ...marc, shared: true });
    const { result } = await call(awa, 'forget_memory', { subject: 'Marc Diop' });
    expect(result).toEqual({ error: expect.stringContaining('commune à toute l’entreprise') });
    expect((await call(awa, 'forget_memory', { id })).result).toEqual(result);
    expect(await memoriesOf(awa)).toHaveLength(1);
    await call(ada, 'forget_memory', { subject: 'Marc Diop' });
    expect(await memoriesOf(awa)).toEqual([]);
  });

  it('wants to know what', async () => {
    const { result } = await call(awa, 'forget_memory', { kind: 'FACT' });
    expect(result).toEqual({ error: expect.stringContaining('Give an id or a subject.') });
  });
});

describe('recall', () => {
  it('finds what bears on the question, with ids and dates', async () => {
    const { id } = await remember(awa, marc);
    await remember(awa, answers);
    const { result, skillCalls } = await call(awa, 'recall', { query: 'Qui est notre comptable ?' });
    expect(result.memories).toMatchObject([{ id, ...marc, since: today() }]);
    expect(skillCalls).toMatchObject(
      [{ status: 'SUCCEEDED', resultPreview: /^Trouvé : 1 note, / }].map((one) => ({
        ...one,
        resultPreview: expect.stringMatching(one.resultPreview),
      })),
    );
  });

  it('tells without a question what was noted last, as it is now: of the member first, then of the company', async () => {
    await remember(awa, answers);
    await remember(awa, { ...answers, content: 'Longues.' });
    await remember(awa, marc);
    await remember(ada, { kind: 'FACT', subject: 'bureau', content: 'Au 3e.', shared: true });
    await remember(ben, { kind: 'FACT', subject: 'ben', content: 'Personne ne le sait.' });
    const contents = ({ result }: Called): string[] =>
      (result.memories as { content: string }[]).map(({ content }) => content);
    expect(contents(await call(awa, 'recall', {}))).toEqual(['Comptable à Thiès.', 'Longues.', 'Au 3e.']);
    expect(contents(await call(awa, 'recall', { kinds: ['PREFERENCE', 'FACT'] }))).toEqual([
      'Longues.',
      'Au 3e.',
    ]);
  });

  it('keeps to the days that it is asked for', async () => {
    const before = today(2);
    await remember(awa, marc);
    await daysGoBy(2);
    await remember(awa, answers);
    const subjects = ({ result }: Called): string[] =>
      (result.memories as { subject: string }[]).map(({ subject }) => subject);
    expect(subjects(await call(awa, 'recall', { to: before }))).toEqual(['Marc Diop']);
    expect(subjects(await call(awa, 'recall', { from: before, to: before }))).toEqual(['Marc Diop']);
    expect(subjects(await call(awa, 'recall', { from: before }))).toEqual(['réponses', 'Marc Diop']);
    expect((await call(awa, 'recall', { from: before, to: '2020-01-01' })).result).toEqual({
      error: expect.stringContaining('This is before from.'),
    });
  });

  it('finds what was noted on a day, and what all are told, behind a hundred others, and says what it leaves out', async () => {
    const old = await remember(awa, marc);
    await daysGoBy(90);
    const shared = await remember(ada, { kind: 'FACT', subject: 'bureau', content: 'Au 3e.', shared: true });
    await addFacts(awa, 105);
    const recall = async (input: JsonObject): Promise<{ ids: string[]; result: JsonObject }> => {
      const { result } = await call(awa, 'recall', input);
      return { ids: (result.memories as { id: string }[]).map(({ id }) => id), result };
    };
    const ofThen = await recall({ from: '0000-01-01', to: today(90) });
    expect(ofThen.ids).toEqual([old.id]);
    expect(ofThen.result).not.toHaveProperty('moreMemories');
    const last = await recall({});
    expect(last.ids).toHaveLength(30);
    expect(last.ids).toContain(shared.id);
    expect(last.result).toMatchObject({
      moreMemories: true,
      summary: expect.stringContaining('Toutes les notes n’y sont pas'),
    });
  });

  it('finds what was said in another conversation, to whom it was said alone', async () => {
    reply = () => [text('Alors ce sera le fournisseur de Mbour.'), finish()];
    const { turnId, conversationId } = await awa.ask(
      'Nous prenons le fournisseur de panneaux de Mbour.',
      THERESE,
    );
    await awa.allEvents(turnId);
    const query = 'Quel fournisseur de panneaux ?';
    const { result } = await call(awa, 'recall', { query });
    expect(result.conversations).toMatchObject([{ date: today(), text: expect.stringContaining('Mbour') }]);
    expect((await call(ben, 'recall', { query })).result).toMatchObject({
      summary: 'Rien n’est noté là-dessus.',
      memories: [],
      conversations: [],
    });
    expect((await call(awa, 'recall', { query, kinds: ['FACT'] })).result.conversations).toEqual([]);
    const elsewhere = await call(awa, 'recall', { query }, { assistantKey: 'mefali' });
    expect(elsewhere.result.conversations).toEqual([]);
    // The prompt holds it already.
    expect((await call(awa, 'recall', { query }, { conversationId })).result.conversations).toEqual([]);
  });

  it('finds nothing that was forgotten', async () => {
    const { id } = await remember(awa, marc);
    await forget(awa, id);
    expect((await call(awa, 'recall', { query: 'comptable' })).result.memories).toEqual([]);
    expect(await contentsOf(awa)).toEqual([]);
  });
});
