import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderStep } from '@palabre/llm-client/scripted-provider.double.js';

import {
  askUntilAsked,
  expireInputs,
  inputStatuses,
  onlyInput,
  resultsToldTo,
} from '../harness/input-asking.js';
import { answerInput, refusalOf, skillEnd } from '../harness/input-view.js';
import { seenToEnd } from '../harness/laws.js';
import { Everything } from '../harness/mcp-everything.js';
import { ServerOfToday } from '../harness/mcp-today.js';
import { ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { cancelTurn, turnOf } from '../harness/turn-view.js';

const done = [text('C’est fait.'), finish()];

const book = new ScriptBook();
const stack = new AsyncDisposableStack();
let app: TestApp;
let member: TestClient;
let today: ServerOfToday;

beforeAll(async () => {
  today = stack.use(await ServerOfToday.start());
  const everything = stack.use(await Everything.start());
  app = stack.use(await startApp(book.replyTo, { OUTBOUND_ALLOW: '127.0.0.1' }));
  const admin = await app.client();
  member = await app.client({ sub: 'bea', role: 'MEMBER' });
  const servers = { today: today.url, before: everything.url };
  for (const [key, url] of Object.entries(servers)) {
    const register = 'mutation ($input: RegisterMcpServerInput!) { registerMcpServer(input: $input) { id } }';
    await admin.get(register, { input: { key, url } });
  }
  for (const key of ['today__deploy', 'before__trigger-elicitation-request']) {
    await admin.get(`mutation { setSkillApproval(key: "${key}", required: false) { id } }`);
  }
});
afterAll(() => stack.disposeAsync());
afterEach(() => void (today.page = null));

/** A question that has the model ask back. */
function back(steps: readonly ProviderStep[]): string {
  return book.add([...steps, finish()], done);
}

describe('what an MCP server wants to know', () => {
  const deploy = toolCall('today__deploy', {}, 'call_deploy');
  const elicit = toolCall('before__trigger-elicitation-request', {}, 'call_elicit');

  it('is asked, and the call is made again with the answer', async () => {
    const { turnId, ended, asked } = await askUntilAsked(member, back([deploy]));
    const input = onlyInput(asked);
    expect(input).toMatchObject({
      __typename: 'McpInputRequest',
      server: 'today',
      message: 'Where to?',
      schema: { properties: { region: { type: 'string' } } },
      url: null,
    });
    expect((await turnOf(member, turnId)).skillCalls).toMatchObject([{ status: 'RUNNING' }]);
    expect(await refusalOf(member, { mcp: { id: input.id, value: { region: 3 } } })).toEqual({
      code: 'BAD_USER_INPUT',
      argument: 'input.mcp.value',
    });
    await answerInput(member, { mcp: { id: input.id, value: { region: 'Dakar' } } });
    const end = skillEnd(await ended);
    expect(end).toMatchObject({ callStatus: 'SUCCEEDED' });
    expect(resultsToldTo(app.provider)[0]).toContain(
      '{"where":{"action":"accept","content":{"region":"Dakar"}}}',
    );
    expect(resultsToldTo(app.provider)[0]).toContain('deployment 7');
  });

  it('is declined, which the server is told', async () => {
    const { ended, asked } = await askUntilAsked(member, back([deploy]));
    await answerInput(member, { mcp: { id: onlyInput(asked).id, declined: true } });
    await ended;
    expect(resultsToldTo(app.provider)[0]).toContain('{"where":{"action":"decline"}}');
  });

  it('counts as declined once it has expired, which the server and the model are told', async () => {
    const { turnId, ended } = await askUntilAsked(member, back([deploy]));
    await expireInputs(app, turnId);
    expect(inputStatuses(await ended)).toContain('EXPIRED');
    expect(resultsToldTo(app.provider)[0]).toMatch(/"action":"(decline|cancel)"/);
  });

  it('is a page to be opened, and the server is told that its member has been there, and nothing else', async () => {
    today.page = 'https://deploy.example/sign-in?for=7';
    const { ended, asked } = await askUntilAsked(member, back([deploy]));
    const input = onlyInput(asked);
    expect(input).toMatchObject({ message: 'Sign in there.', schema: null, url: today.page });
    await answerInput(member, { mcp: { id: input.id } });
    expect(skillEnd(await ended)).toMatchObject({ callStatus: 'SUCCEEDED' });
    expect(resultsToldTo(app.provider)[0]).toContain('{"where":{"action":"accept"}}');
  });

  it('is not asked where it is no page of the web, which the model is told', async () => {
    today.page = 'file:///etc/passwd';
    const question = book.add([deploy, finish()], done);
    const { turnId } = await member.ask(question, { assistantKey: 'mefali' });
    const events = await seenToEnd(member, turnId);
    expect(skillEnd(events)).toMatchObject({ callStatus: 'FAILED' });
    expect(events.filter(({ __typename }) => __typename === 'InputRequested')).toEqual([]);
    expect(resultsToldTo(app.provider)[0]).toContain('nobody can be asked');
  });

  it('is asked by a server of 2025, which waits for the answer on its connection', async () => {
    const { turnId, ended, asked } = await askUntilAsked(member, back([elicit]));
    const input = onlyInput(asked);
    expect(input).toMatchObject({ server: 'before', message: expect.stringContaining('following fields') });
    expect((await turnOf(member, turnId)).status).toBe('WAITING_FOR_INPUT');
    await answerInput(member, { mcp: { id: input.id, value: { name: 'Awa Diop' } } });
    expect(skillEnd(await ended)).toMatchObject({ callStatus: 'SUCCEEDED' });
    expect(resultsToldTo(app.provider)[0]).toContain('Awa Diop');
  });

  it('is not wanted any more by anybody once the turn was cancelled', async () => {
    const { turnId, ended } = await askUntilAsked(member, back([elicit]));
    await cancelTurn(member, turnId);
    await ended;
    const next = await askUntilAsked(member, back([elicit]));
    await answerInput(member, { mcp: { id: onlyInput(next.asked).id, declined: true } });
    await next.ended;
    expect(resultsToldTo(app.provider)[0]).toMatch(/decline/i);
  });

  it('expires for a server of 2025 as well, which is told', async () => {
    const { turnId, ended } = await askUntilAsked(member, back([elicit]));
    await expireInputs(app, turnId);
    const events = await ended;
    expect(inputStatuses(events)).toContain('EXPIRED');
    expect(resultsToldTo(app.provider)[0]).toMatch(/cancel/i);
  });
});
