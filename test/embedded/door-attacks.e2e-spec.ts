import { newId } from '../../src/common/ids.js';
import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import { barrier, ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const book = new ScriptBook();
const stack = new AsyncDisposableStack();
let app: TestApp;
let ada: TestClient;

beforeAll(async () => {
  app = stack.use(await startApp(book.replyTo));
  const company = await app.company();
  ada = await app.client({ company, sub: 'ada', role: 'MEMBER' });
});
afterAll(() => stack.disposeAsync());

type Body = string | object | undefined;

function send(client: TestClient, path: string, body: Body, headers: Record<string, string> = {}) {
  return fetch(`${app.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${client.token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

function said(word: string): string {
  return book.add([text(word), finish()]);
}

/** A question at each door, as its clients send it. */
const doors = {
  '/v1/responses': (question: string) => ({ model: 'mefali', input: question, stream: true }),
  '/v1/chat/completions': (question: string) => ({
    model: 'mefali',
    messages: [{ role: 'user', content: question }],
    stream: true,
  }),
  '/ag-ui/mefali': (question: string) => ({
    threadId: newId(),
    runId: newId(),
    messages: [{ id: newId(), role: 'user', content: question }],
  }),
  '/ai-sdk/mefali': (question: string) => ({
    id: newId(),
    messages: [{ id: newId(), role: 'user', parts: [{ type: 'text', text: question }] }],
  }),
};
const paths = Object.keys(doors) as (keyof typeof doors)[];
const others = ['/ag-ui/mefali/connect', '/ag-ui/mefali/cancel', '/v1/responses/compact', '/mcp'];

describe.each([...paths, ...others])('%s', (path) => {
  it.each([
    ['text', 'Bonjour', 'text/plain'],
    ['a form', 'message=Bonjour', 'application/x-www-form-urlencoded'],
    ['parts', '--x\r\n\r\n--x--', 'multipart/form-data; boundary=x'],
    ['nothing', '', 'application/json'],
    ['half of a JSON', '{"model":', 'application/json'],
    ['null', 'null', 'application/json'],
    ['a list', '[]', 'application/json'],
    ['a number', '7', 'application/json'],
    ['other things', '{"messages":7,"input":{"a":[]},"threadId":[],"id":{}}', 'application/json'],
    ['lists in lists', `{"messages":${'['.repeat(9_000)}${']'.repeat(9_000)}}`, 'application/json'],
    [
      'half of a letter',
      '{"messages":[{"role":"user","content":"\\ud800"}],"input":"\\ud800"}',
      'application/json',
    ],
  ])('refuses %s', async (_, body, type) => {
    const answer = await send(ada, path, body, { 'content-type': type });
    const words = await answer.text();
    expect([answer.status, words]).toEqual([
      expect.toSatisfy((status: number) => status >= 400 && status < 500),
      words,
    ]);
    expect(JSON.parse(words)).toBeTypeOf('object');
  });
});

describe.each(paths)('%s', (path) => {
  it('passes over what it does not know', async () => {
    const question = said('Bonjour.');
    const more = '"unknown":{"deep":[1]},"role":"ADMIN","company":"another"';
    const body = JSON.stringify(doors[path](question)).replace(/^\{/, `{${more},`);
    const answer = await send(ada, path, body);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Bonjour.')]);
    const hostile = await send(ada, path, body.replace('"unknown"', '"__proto__"'));
    expect([hostile.status, await hostile.text()]).toEqual([400, expect.stringContaining('__proto__')]);
  });

  it('refuses a history that has no end', async () => {
    const one = doors[path]('Encore.');
    const messages = 'messages' in one ? one.messages : [{ role: 'user', content: 'Encore.' }];
    const many = Array.from({ length: 20_000 }, () => messages[0]);
    const body = 'input' in one ? { ...one, input: many } : { ...one, messages: many };
    const answer = await send(ada, path, body);
    expect([400, 413]).toContain(answer.status);
    await answer.text();
  });
});

it.each([
  ['/ag-ui/mefali', 'threadId'],
  ['/ai-sdk/mefali', 'id'],
] as const)('%s takes half a letter as the name of a thread', async (path, field) => {
  const answer = await send(ada, path, { ...doors[path](said('Bonjour.')), [field]: 'a\ud800' });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Bonjour.')]);
});

describe('results of calls that nobody has asked for', () => {
  it.each([
    [
      '/v1/responses',
      { model: 'mefali', input: [{ type: 'function_call_output', call_id: 'call_x', output: '3' }] },
    ],
    [
      '/v1/responses',
      { model: 'mefali', input: [{ type: 'function_call_output', call_id: `call_${newId()}`, output: '3' }] },
    ],
    [
      '/v1/chat/completions',
      {
        model: 'mefali',
        messages: [
          { role: 'user', content: 'Hm?' },
          { role: 'tool', tool_call_id: 'call_x', content: '3' },
        ],
      },
    ],
    [
      '/ai-sdk/mefali',
      {
        id: newId(),
        messages: [
          { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hm?' }] },
          {
            id: newId(),
            role: 'assistant',
            parts: [
              { type: 'tool-x', toolCallId: 'call_x', state: 'output-available', input: {}, output: 3 },
            ],
          },
        ],
      },
    ],
  ])('are refused at %s', async (path, body) => {
    const answer = await send(ada, path, body);
    const words = await answer.text();
    expect([answer.status, words]).toEqual([
      expect.toSatisfy((status: number) => status >= 400 && status < 500),
      words,
    ]);
  });
});

function framesOf(stream: string): string[] {
  return stream.split('\n\n').filter((frame) => frame.startsWith('id: '));
}

describe('streams', () => {
  it('are resumed by two at once, each from its place', async () => {
    const held = barrier();
    const question = book.add([text('Il '), held.step, text('était.'), finish()]);
    const created = await send(ada, '/v1/responses', { model: 'mefali', input: question, background: true });
    const { id } = (await created.json()) as { id: string };
    await held.reached;
    const follow = (after: number) =>
      send(ada, `/v1/responses/${id}?stream=true&starting_after=${after}`, undefined);
    const [first, second, third] = await Promise.all([follow(0), follow(2), follow(2)]);
    held.open();
    const [all, late, same] = await Promise.all([first, second, third].map((one) => one.text()));
    const events = (stream: string): string[] =>
      stream.split('\n\n').filter((frame) => frame.includes('sequence_number'));
    expect(late).toBe(same);
    expect(events(all!).slice(2)).toEqual(events(late!));
    for (const after of ['-2', '1.5', 'x', '1e99', '99999999999999999999'])
      expect(
        (await send(ada, `/v1/responses/${id}?stream=true&starting_after=${after}`, undefined)).status,
      ).toBe(400);
  });

  it('begin anew, or end, at a place that is none of theirs', async () => {
    const run = doors['/ag-ui/mefali'](said('Bonjour.'));
    const all = framesOf(await (await send(ada, '/ag-ui/mefali', run)).text());
    expect(all.length).toBeGreaterThan(3);
    const long = doors['/ag-ui/mefali'](
      book.add([...Array.from({ length: 30 }, () => text('la ')), finish()]),
    );
    const other = framesOf(await (await send(ada, '/ag-ui/mefali', long)).text());
    const lastOfOther = /^id: (.*)$/m.exec(other.at(-1)!)![1]!;
    for (const place of ['', 'x', '-1.0', '1.-1', '99999.0', `${'9'.repeat(400)}.0`, lastOfOther]) {
      const answer = await send(ada, '/ag-ui/mefali', run, { 'last-event-id': place });
      const words = await answer.text();
      // Nothing that it did not have.
      expect([place, answer.status, framesOf(words).every((frame) => all.includes(frame))]).toEqual([
        place,
        expect.toSatisfy((status: number) => [200, 400].includes(status)),
        true,
      ]);
    }
  });
});
