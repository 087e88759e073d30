import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { JsonObject, JsonValue } from '@palabre/json';

import { GetCompanyProfileSkill } from '../../src/skills/functions/get-company-profile.skill.js';
import { SkillAnswer } from '../../src/skills/skill.js';
import { SkillCallResults } from '../../src/conversations/turns/skill-call-results.service.js';
import { SkillCallRepository } from '../../src/conversations/turns/skill-call.repository.js';
import { identityOf } from '../harness/notification-view.js';
import { lastOf, readRequest, resultIn, systemOf } from '../harness/provider-request.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { turnOf } from '../harness/turn-view.js';

let app: TestApp;
let client: TestClient;
let calls: [name: string, input?: JsonObject][];

beforeAll(async () => {
  app = await shareApp((body) =>
    lastOf(body).role === 'tool'
      ? [text('Done.'), finish()]
      : [...calls.map(([name, input]) => toolCall(name, input)), finish()],
  );
  client = await app.client();
});
afterAll(() => app[Symbol.asyncDispose]());
afterEach(() => void vi.restoreAllMocks());

/** What any skill may give; the one that is played here says that it never does. */
function answering(result: JsonValue, details: JsonValue): JsonValue {
  return new SkillAnswer(result, details) as unknown as JsonValue;
}

/** What the repository keeps of calls, without the API around it. */
async function detailsOf(ids: readonly string[]): Promise<(JsonValue | null)[]> {
  return new SkillCallResults(app.database, new SkillCallRepository()).findDetails(
    await identityOf(client),
    ids,
  );
}

describe('what a skill gives', () => {
  it('is told in short to the model, and kept whole for people', async () => {
    const rows = Array.from({ length: 50 }, (_, row) => ({ row, name: `R\u0000${row} é\uD800` }));
    vi.spyOn(GetCompanyProfileSkill.prototype, 'run')
      .mockResolvedValueOnce(answering({ summary: 'Fifty rows.' }, { rows }))
      .mockResolvedValueOnce({ summary: 'All of it.' });
    calls = [['get_company_profile'], ['get_company_profile', {}]];
    const { turnId } = await client.ask('Please.');
    await client.allEvents(turnId);
    expect(resultIn(lastOf(app.provider.requests.at(-1)).content)).toEqual({ summary: 'All of it.' });
    const { skillCalls } = await turnOf(client, turnId);
    expect(skillCalls.map(({ resultPreview }) => resultPreview)).toEqual(['Fifty rows.', 'All of it.']);
    const stored = rows.map(({ row }) => ({ row, name: `R${row} é\uFFFD` }));
    expect(await detailsOf(skillCalls.map(({ id }) => id))).toEqual([{ rows: stored }, null]);
  });

  it('is another company’s to read in none of its parts', async () => {
    vi.spyOn(GetCompanyProfileSkill.prototype, 'run').mockResolvedValue(answering(1, [1, 2]));
    calls = [['get_company_profile']];
    const { turnId } = await client.ask('Please.');
    await client.allEvents(turnId);
    const ids = (await turnOf(client, turnId)).skillCalls.map(({ id }) => id);
    const stranger = await identityOf(await app.client({ company: await app.company() }));
    const details = new SkillCallResults(app.database, new SkillCallRepository());
    expect(await details.findDetails(stranger, ids)).toEqual([null]);
    expect(await detailsOf(ids)).toEqual([[1, 2]]);
  });

  it('is told of before it is there, line by line', async () => {
    vi.spyOn(GetCompanyProfileSkill.prototype, 'run').mockImplementation((_, { progress }) => {
      progress('Page 1 of 2');
      progress('Page 2 of 2');
      return Promise.resolve('read');
    });
    calls = [['get_company_profile']];
    const { turnId } = await client.ask('Please.');
    const events = await client.allEvents(turnId);
    const from = events.findIndex(({ __typename }) => __typename === 'SkillStarted');
    expect(events.slice(from, from + 4)).toMatchObject([
      { __typename: 'SkillStarted' },
      { __typename: 'StatusChanged', status: 'RUNNING', detail: 'Page 1 of 2' },
      { __typename: 'StatusChanged', status: 'RUNNING', detail: 'Page 2 of 2' },
      { __typename: 'SkillFinished' },
    ]);
  });
});

describe('a SKILL.md', () => {
  it('is in the catalogue, in the prompt once it is loaded, and out of it again in the next turn', async () => {
    calls = [['load_skill', { skill: 'escrituras/compraventa' }]];
    const before = app.provider.requests.length;
    const { turnId, conversationId } = await client.ask('Redacta una escritura.', { assistantKey: 'solven' });
    const events = await client.allEvents(turnId);
    const [first, second] = app.provider.requests.slice(before).map(systemOf);
    expect(first).toContain('- **escrituras/compraventa**: ');
    expect(first).not.toContain('<skill_content');
    expect(second).toContain('<skill_content name="escrituras/compraventa">');
    expect(events.filter(({ skill }) => skill !== undefined).map(({ __typename }) => __typename)).toEqual([
      'SkillStarted',
      'SkillLoaded',
      'SkillFinished',
    ]);
    const messages = readRequest(app.provider.requests.at(-1)).messages.slice(1);
    expect(JSON.stringify(messages).length).toBeLessThan(1_000);
    calls = [['load_skill', { skill: 'contratos/arrendamiento' }]];
    const then = app.provider.requests.length;
    const next = await client.ask('Y un contrato.', { conversationId });
    await client.allEvents(next.turnId);
    expect(systemOf(app.provider.requests[then])).toBe(first);
  });
});
