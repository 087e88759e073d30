import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { newId } from '../../src/common/ids.js';
import { isUpkeep, lastOf, spokenIn, systemOf } from '../harness/provider-request.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

describe('what a model is told', () => {
  let app: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    app = await shareApp((body) => [text(`answer to ${lastOf(body).content}`), finish()]);
    client = await app.client();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  /** What the model was sent to answer, in order: not what is asked of it once turns are over. */
  const asked = () => app.provider.requests.filter((request) => !isUpkeep(request));

  const ask = async (question: string, input?: object): Promise<string> => {
    const { turnId, conversationId } = await client.ask(question, input);
    expect((await client.allEvents(turnId)).at(-1)).toMatchObject({ status: 'COMPLETED' });
    return conversationId;
  };

  it('is the last twenty messages and the question, the two sides in turns', async () => {
    const from = asked().length;
    const conversationId = await ask('question 1');
    for (let count = 2; count <= 13; count += 1) await ask(`question ${count}`, { conversationId });
    const said = Array.from({ length: 13 }, (_, index) => [
      `user: question ${index + 1}`,
      `assistant: answer to question ${index + 1}`,
    ]).flat();
    asked()
      .slice(from)
      .forEach((request, index) => {
        const question = 2 * index;
        expect(spokenIn(request)).toEqual(said.slice(Math.max(0, question - 20), question + 1));
      });
  });

  it('is of this conversation alone', async () => {
    await ask('a secret of another conversation');
    await ask('Hello');
    expect(spokenIn(asked().at(-1))).toEqual(['user: Hello']);
  });

  it('begins with a user’s words, also when the window would cut between question and answer', async () => {
    const conversationId = await ask('begin');
    // An imported or interrupted conversation: two questions in a row, so that the twentieth last is an answer.
    const lines = [
      'USER',
      ...Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'USER' : 'ASSISTANT')),
    ];
    lines.push('USER');
    await app.database.dataSource.query(
      `INSERT INTO message (company_id, id, conversation_id, branch_id, role, status, text)
       SELECT company_id, line.id, conversation.id, conversation.id, line.role, 'COMPLETE', 'line ' || line.position
       FROM conversation, unnest($2::uuid[], $3::text[]) WITH ORDINALITY AS line (id, role, position)
       WHERE conversation.id = $1`,
      [conversationId, lines.map(newId), lines],
    );
    await ask('end', { conversationId });
    const spoken = spokenIn(asked().at(-1));
    expect(spoken[0]).toBe('user: line 4');
    expect(spoken.at(-1)).toBe('user: line 22\n\nend');
    expect(spoken).toHaveLength(19);
  });

  it('is what the company is, from the next question on', async () => {
    const update = 'mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { id } }';
    const input = {
      name: 'Baobab Énergie',
      sector: 'Solaire',
      country: 'SN',
      city: 'Saint-Louis',
      headcount: 37,
      revenue: { amount: 250_000_000, currency: 'XOF' },
      environmentalPractices: ['Compostage'],
      declaredGoals: ['Neutre en 2035'],
    };
    await client.get(update, { input });
    await ask('Qui sommes-nous ?');
    const system = systemOf(asked().at(-1));
    for (const fact of [
      'Baobab Énergie',
      'Solaire',
      'Sénégal',
      'Saint-Louis',
      '37',
      'Compostage',
      'Neutre en 2035',
    ]) {
      expect(system).toContain(fact);
    }
    expect(system).toMatch(/250\s000\s000/);
  });

  it('speaks as the assistant that was asked', async () => {
    const systems: string[] = [];
    for (const assistantKey of ['mefali', 'therese', 'explorateur', 'solven', 'bibliotheque']) {
      await ask('Hello', { assistantKey });
      const system = systemOf(asked().at(-1));
      expect(system).not.toMatch(/\{\w+\}/);
      systems.push(system);
    }
    expect(new Set(systems).size).toBe(5);
  });
});
