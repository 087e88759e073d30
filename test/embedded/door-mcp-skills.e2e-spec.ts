import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import { mcpClient } from '../harness/mcp-client.js';
import { skillMd, uploadPacks, zipOf } from '../harness/pack-uploads.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const EXPOSE = `mutation ($key: String!, $exposed: Boolean!) {
  setSkillExposed(key: $key, exposed: $exposed) { key exposed } }`;

const stack = new AsyncDisposableStack();
let app: TestApp;
let ada: TestClient;
let bob: TestClient;

beforeAll(async () => {
  app = stack.use(await startApp(() => [text('Bonjour.'), finish()]));
  const company = await app.company();
  ada = await app.client({ company, role: 'ADMIN' });
  bob = await app.client({ company, sub: 'bob', role: 'MEMBER' });
});
afterAll(() => stack.disposeAsync());

/** The skills that are tools to a host of this member's. */
async function toolsOf(client: TestClient): Promise<string[]> {
  await using host = stackOf(await mcpClient(client, '2026-07-28'));
  const { tools } = await host.client.listTools();
  return tools.map(({ name }) => name).filter((name) => name.startsWith('use_'));
}

function stackOf<Client extends { close(): Promise<void> }>(client: Client) {
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

it('offers members the skills that an admin exposes, as far as they may use them', async () => {
  expect([await toolsOf(ada), await toolsOf(bob)]).toEqual([[], []]);
  expect(await ada.get(EXPOSE, { key: 'recall', exposed: true })).toEqual({
    setSkillExposed: { key: 'recall', exposed: true },
  });
  expect([await toolsOf(ada), await toolsOf(bob)]).toEqual([['use_recall'], ['use_recall']]);
  await using host = stackOf(await mcpClient(bob, '2026-07-28'));
  const called = await host.client.callTool({ name: 'use_recall', arguments: { query: 'train' } });
  expect(called).toMatchObject({ content: [{ type: 'text' }] });
  expect(called.isError ?? false).toBe(false);

  await ada.get('mutation { setSkillAccess(key: "recall", leastRole: ADMIN) { id } }');
  expect([await toolsOf(ada), await toolsOf(bob)]).toEqual([['use_recall'], []]);
  expect(await host.client.callTool({ name: 'use_recall', arguments: {} }).catch(String)).toContain(
    'use_recall',
  );
  await ada.get('mutation { setSkillApproval(key: "recall", required: true) { id } }');
  expect(await toolsOf(ada)).toEqual([]);
  await ada.get('mutation { setSkillApproval(key: "recall", required: false) { id } }');
  await ada.get('mutation { setSkillActive(key: "recall", active: false) { id } }');
  expect(await toolsOf(ada)).toEqual([]);
  await ada.get('mutation { setSkillActive(key: "recall", active: true) { id } }');
  expect(await toolsOf(ada)).toEqual(['use_recall']);
  await ada.get(EXPOSE, { key: 'recall', exposed: false });
  expect(await toolsOf(ada)).toEqual([]);

  const { auditEntries } = await ada.get<{ auditEntries: { edges: { node: object }[] } }>(
    '{ auditEntries(first: 1) { edges { node { action subject details } } } }',
  );
  expect(auditEntries.edges[0]?.node).toEqual({
    action: 'skill.exposure-set',
    subject: 'recall',
    details: { exposed: false, before: { exposed: true } },
  });
});

it('refuses to offer what changes something, is approved, or is only read', async () => {
  const pack = skillMd('rapport', 'Comment écrire un rapport.', '# Rapport');
  await uploadPacks(ada, await zipOf({ 'rapport/SKILL.md': pack }));
  await ada.get('mutation { setSkillApproval(key: "search_web", required: true) { id } }');
  const { skills } = await ada.get<{ skills: { key: string; kind: string }[] }>('{ skills { key kind } }');
  const instructions = skills.find(({ kind }) => kind === 'INSTRUCTIONS')?.key;
  for (const key of ['update_company_profile', 'search_web', instructions]) {
    const { errors } = await ada.send(EXPOSE, { key, exposed: true });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', path: ['exposed'] });
  }
  expect(await ada.codes(EXPOSE, { key: 'nothing', exposed: true })).toEqual(['NOT_FOUND']);
  expect(await bob.codes(EXPOSE, { key: 'recall', exposed: true })).toEqual(['FORBIDDEN']);
});
