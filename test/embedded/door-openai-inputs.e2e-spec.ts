import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import OpenAI from 'openai';
import sharp from 'sharp';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { status } from '@palabre/llm-client/scripted-provider.double.js';

import { barrier, ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import { turnOf } from '../harness/turn-view.js';
import { eventually } from '../harness/eventually.js';

const UPDATE = 'update_company_profile';
const model = 'mefali';
const book = new ScriptBook();
const stack = new AsyncDisposableStack();
let app: TestApp;
let openai: OpenAI;
/** Where files are fetched from. */
let files: string;

beforeAll(async () => {
  const image = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const server = createServer((request, response) => {
    if (request.url === '/red') response.setHeader('content-type', 'image/png').end(image);
    else if (request.url === '/plan.md') response.setHeader('content-type', 'text/markdown').end('# Plan');
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(() => void server.close());
  files = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  app = stack.use(await startApp(book.replyTo, { OUTBOUND_ALLOW: '127.0.0.1' }));
  const admin = await app.client();
  await admin.get(`mutation { setSkillApproval(key: "${UPDATE}", required: true) { id } }`);
  openai = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: admin.token ?? '', maxRetries: 0 });
});
afterAll(() => stack.disposeAsync());

function answered(...words: string[]) {
  return [...words.map(text), finish()];
}

type Asked = OpenAI.Responses.ResponseCreateParamsNonStreaming;

/** What the SDK’s types do not know, or its users would not send. */
function ask(body: object): Promise<OpenAI.Responses.Response> {
  return openai.responses.create({ model, ...body } as Asked);
}

describe('an approval', () => {
  it.each([true, false])('is asked for, and given: %s', async (approve) => {
    const call = toolCall(UPDATE, { sector: 'Solaire' }, 'call_a');
    const first = await ask({ input: book.add([call, finish()], answered('Bien.')) });
    const asked = first.output.find(({ type }) => type === 'mcp_approval_request');
    expect(asked).toMatchObject({ name: UPDATE, arguments: '{"sector":"Solaire"}', server_label: 'palabre' });
    const given = {
      type: 'mcp_approval_response',
      approval_request_id: asked?.id ?? '',
      approve,
      reason: 'So it is.',
    };
    const next = { previous_response_id: first.id, input: [given] };
    const second = await ask(next);
    expect(second).toMatchObject({ output_text: 'Bien.', previous_response_id: first.id });
    const call2 = second.output.find(({ type }) => type === 'mcp_call');
    expect(call2).toMatchObject({ name: UPDATE, status: approve ? 'completed' : 'failed' });
    expect(await ask(next)).toEqual(second);
    const { data } = await openai.responses.inputItems.list(second.id);
    expect(data).toMatchObject([{ type: 'mcp_approval_response', approve, reason: 'So it is.' }]);
  });

  it('is told in words by chat completions, and given up by what is said next', async () => {
    const call = toolCall(UPDATE, { sector: 'Solaire' }, 'call_a');
    const messages = [{ role: 'user' as const, content: book.add([call, finish()], answered('Jamais.')) }];
    const headers = { 'X-Palabre-Conversation': crypto.randomUUID() };
    const { choices } = await openai.chat.completions.create({ model, messages }, { headers });
    expect(choices).toMatchObject([
      { finish_reason: 'stop', message: { content: expect.stringContaining(UPDATE) } },
    ]);
    const next = [
      ...messages,
      { role: 'assistant' as const, content: choices[0]?.message.content ?? '' },
      { role: 'user' as const, content: book.add(answered('Sans.')) },
    ];
    const later = await openai.chat.completions.create({ model, messages: next }, { headers });
    expect(later.choices).toMatchObject([{ message: { content: 'Sans.' } }]);
  });
});

it('has the inputs of each response alone, and no response where none begins', async () => {
  const tools = [{ type: 'function', name: 'get_price', description: 'x', parameters: { type: 'object' } }];
  const call = (item: string) => [toolCall('get_price', { item }), finish()];
  const first = await ask({ input: book.add(call('tea'), call('milk'), answered('5.')), tools });
  const outputOf = (response: OpenAI.Responses.Response, output: string) => {
    const asked = response.output.find((item) => item.type === 'function_call');
    return [{ type: 'function_call_output', call_id: asked?.call_id ?? '', output }];
  };
  const second = await ask({ previous_response_id: first.id, input: outputOf(first, '3'), tools });
  const third = await ask({ previous_response_id: second.id, input: outputOf(second, '2'), tools });
  expect(third.output_text).toBe('5.');
  const given = async ({ id }: OpenAI.Responses.Response) => {
    const { data } = await openai.responses.inputItems.list(id);
    return data.map((item) => (item as { output: string }).output);
  };
  expect([await given(second), await given(third)]).toEqual([['3'], ['2']]);
  await expect(openai.responses.retrieve(`${first.id}_1`)).rejects.toMatchObject({ status: 404 });
});

describe('files', () => {
  it('are fetched by their addresses, and become attachments', async () => {
    app.provider.play(() => answered('Red.'));
    const content = [
      { type: 'input_text', text: 'What is this?' },
      { type: 'input_image', image_url: `${files}/red` },
      { type: 'input_file', filename: 'plan.md', file_url: `${files}/plan.md` },
    ];
    const response = await ask({ input: [{ role: 'user', content }] });
    expect(JSON.stringify(app.provider.requests[0])).toContain('data:image/png;base64,');
    const { data } = await openai.responses.inputItems.list(response.id);
    expect(data).toMatchObject([{ content: [{}, { type: 'input_file' }, { type: 'input_file' }] }]);
    await openai.chat.completions.create({
      model,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And this?' },
            { type: 'image_url', image_url: { url: `${files}/red` } },
          ],
        },
      ],
    });
    expect(JSON.stringify(app.provider.requests.at(-1))).toContain('data:image/png;base64,');
    app.provider.play(book.replyTo);
  });

  it('are refused that are not there', async () => {
    const content = [{ type: 'input_image', image_url: `${files}/nothing` }];
    await expect(ask({ input: [{ role: 'user', content }] })).rejects.toMatchObject({
      status: 400,
      param: expect.stringMatching(/^input/),
    });
  });

  it.each([
    ['a file', { type: 'input_file', file_id: 'file-1' }],
    ['an image', { type: 'input_image', file_id: 'file-1' }],
  ])('are refused where there is no more than an id of %s', async (_what, part) => {
    const content = [{ type: 'input_text', text: 'What is this?' }, part];
    await expect(ask({ input: [{ role: 'user', content }] })).rejects.toMatchObject({
      status: 400,
      param: expect.stringMatching(/^input/),
      message: expect.stringContaining('uploaded'),
    });
  });

  it('are not fetched from inside', async () => {
    const content = [{ type: 'input_image', image_url: 'http://169.254.169.254/' }];
    await expect(ask({ input: [{ role: 'user', content }] })).rejects.toMatchObject({ status: 400 });
  });
});

it('takes a reference without a type, and no two places', async () => {
  const first = await ask({ input: book.add(answered('Un.')) });
  const said = first.output.find(({ type }) => type === 'message');
  const question = { role: 'user', content: book.add(answered('Deux.')) };
  const history = [{ role: 'user', content: 'Before.' }, { id: said?.id ?? '' }, question];
  expect(await ask({ input: history })).toMatchObject({ output_text: 'Deux.' });
  expect(JSON.stringify(app.provider.requests.at(-1))).toContain('Un.');
  const { id } = (first as unknown as { conversation: { id: string } }).conversation;
  const both = { input: 'Where?', conversation: id, previous_response_id: first.id };
  await expect(ask(both)).rejects.toMatchObject({ status: 400, param: 'conversation' });
});

it('keeps nothing that is not to be stored where its removal could not be put in line', async () => {
  const admin = await app.client();
  const count = async (): Promise<number> => {
    const { conversations } = await admin.get<{ conversations: { edges: object[] } }>(
      '{ conversations(first: 100) { edges { cursor } } }',
    );
    return conversations.edges.length;
  };
  const before = await count();
  const { jobs } = app.server.resources;
  const enqueue = jobs.enqueue.bind(jobs);
  const failing = vi
    .spyOn(jobs, 'enqueue')
    .mockImplementation((tx, job, ...rest) =>
      job.name === 'remove-unstored' ? Promise.reject(new Error('no queue')) : enqueue(tx, job, ...rest),
    );
  const history = [
    { role: 'user', content: 'Before.' },
    { role: 'assistant', content: 'Said.' },
  ];
  for (const earlier of [[], history]) {
    const question = { role: 'user', content: book.add(answered('Gone.')) };
    await expect(ask({ input: [...earlier, question], store: false })).rejects.toMatchObject({ status: 500 });
  }
  failing.mockRestore();
  expect(await count()).toBe(before);
});

describe('a completion', () => {
  it('that has failed is not asked for again by the SDK', async () => {
    const sdk = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: openai.apiKey, maxRetries: 2 });
    const before = app.provider.requests.length;
    const messages = [{ role: 'user' as const, content: book.add([status(400, 'No.')]) }];
    await expect(sdk.chat.completions.create({ model, messages })).rejects.toMatchObject({ status: 503 });
    expect(app.provider.requests.length - before).toBe(1);
  });

  it('goes on when its client’s session ends, whatever becomes of it when the client leaves', async () => {
    const client = await app.client({ ttlSeconds: 2 });
    const sdk = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: client.token ?? '', maxRetries: 0 });
    const waits = barrier();
    const messages = [{ role: 'user' as const, content: book.add([text('Un'), waits.step, finish()]) }];
    const headers = { 'X-Palabre-On-Disconnect': 'cancel' };
    const stream = await sdk.chat.completions.create({ model, messages, stream: true }, { headers });
    let id = '';
    await expect(
      (async () => {
        for await (const chunk of stream) ({ id } = chunk);
      })(),
    ).rejects.toThrow();
    waits.open();
    const turnId = id.slice('chatcmpl_'.length).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const admin = await app.client();
    const turn = await eventually(
      () => turnOf(admin, turnId),
      ({ finishReason }) => finishReason !== null,
    );
    expect(turn.status).toBe('COMPLETED');
  });
});
