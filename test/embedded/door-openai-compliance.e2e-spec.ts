import { once } from 'node:events';

import sharp from 'sharp';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';

import { compactResource, responseResource, socketError, streamingEvent } from '../harness/open-responses.js';
import { readRequest } from '../harness/provider-request.js';
import { shareApp, type TestApp } from '../harness/start-app.js';

/** The cases of the compliance suite of Open Responses (2026-04-24), each asked anew in its own words here. */
let app: TestApp;
let authorization: string;
beforeAll(async () => {
  app = await shareApp((body) => {
    const { messages } = readRequest(body);
    const isAsked = JSON.stringify(messages).includes('weather');
    const isTold = messages.some(({ role }) => role === 'tool');
    return isAsked && !isTold
      ? [toolCall('get_weather', { location: 'Paris' }), finish()]
      : [text('It is '), text('done.'), finish()];
  });
  authorization = `Bearer ${(await app.client()).token}`;
});
afterAll(() => app[Symbol.asyncDispose]());

const model = 'mefali';

function post(body: object, path = '/responses'): Promise<Response> {
  const headers = { 'content-type': 'application/json', authorization };
  return fetch(`${app.url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function respond(body: object): Promise<z.output<typeof responseResource>> {
  const response = await post({ model, ...body });
  expect(response.status).toBe(200);
  const resource = responseResource.parse(await response.json());
  expect(resource.status).toBe('completed');
  expect(resource.output.length).toBeGreaterThan(0);
  return resource;
}

/** The events of a stream, each checked, numbered from 0, the last with the whole response. */
function checked(events: unknown[]): z.output<typeof responseResource> {
  const parsed = events.map((event) => streamingEvent.parse(event));
  expect(parsed.map(({ sequence_number: number }) => number)).toEqual(parsed.map((_, index) => index));
  const last = parsed.at(-1);
  if (last?.type !== 'response.completed') throw new Error(JSON.stringify(last));
  return last.response;
}

async function stream(body: object): Promise<unknown[]> {
  const response = await post({ model, ...body, stream: true });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const blocks = (await response.text()).split('\n\n').filter((block) => block.startsWith('event: '));
  return blocks.map((block) => {
    const [name, data] = block.split('\n');
    const event = JSON.parse(data!.replace('data: ', '')) as { type: string };
    expect(name).toBe(`event: ${event.type}`);
    return event;
  });
}

/** One connection, whose requests are answered one after the other. */
class Connection implements AsyncDisposable {
  private readonly socket = new WebSocket(`${app.url.replace('http', 'ws')}/v1/responses`, {
    headers: { authorization },
  });

  async create(body: object): Promise<{ events: unknown[]; error: z.output<typeof socketError> | null }> {
    if (this.socket.readyState === WebSocket.CONNECTING) await once(this.socket, 'open');
    const events: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<z.output<typeof socketError> | null>();
    const take = (data: Buffer): void => {
      const event = JSON.parse(data.toString()) as { type: string };
      if (event.type === 'error') return resolve(socketError.parse(event));
      events.push(event);
      if (/^response\.(completed|failed|incomplete)$/.test(event.type)) resolve(null);
    };
    this.socket.on('message', take);
    this.socket.send(JSON.stringify({ type: 'response.create', model, ...body }));
    const error = await promise;
    this.socket.off('message', take);
    return { events, error };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }
}

async function dot(): Promise<string> {
  const image = sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } });
  return `data:image/png;base64,${(await image.png().toBuffer()).toString('base64')}`;
}

function user(content: string): object {
  return { type: 'message', role: 'user', content };
}

const weather = {
  input: [user('What is the weather in Paris?')],
  tools: [
    {
      type: 'function',
      name: 'get_weather',
      description: 'The weather at a place.',
      parameters: {
        type: 'object',
        properties: { location: { type: 'string' } },
        required: ['location'],
      },
    },
  ],
};
function unstored(input: unknown, more: object = {}): object {
  return { store: false, input, ...more };
}

describe('over HTTP', () => {
  it('basic-response', async () => {
    await respond({ input: [user('Say hello in three words.')] });
  });

  it('assistant-phase', async () => {
    const said = { type: 'message', role: 'assistant' };
    await respond({
      input: [
        { ...said, phase: 'commentary', content: 'I look for the number.' },
        { ...said, phase: 'final_answer', content: 'It is four.' },
        user('Repeat the number alone.'),
      ],
    });
  });

  it('response-output-phase-schema: a message of ours has its phase', async () => {
    const { output } = await respond({ input: 'Which phase is this?' });
    expect(output).toMatchObject([{ type: 'message', phase: 'final_answer' }]);
  });

  it('streaming-response', async () => {
    const { output } = checked(await stream({ input: [user('Count from 1 to 5.')] }));
    expect(output).toMatchObject([{ content: [{ text: 'It is done.' }] }]);
  });

  it('system-prompt', async () => {
    const system = { type: 'message', role: 'system', content: 'Speak like a pirate.' };
    await respond({ input: [system, user('Say hello.')] });
  });

  it('tool-calling', async () => {
    const { output } = await respond(weather);
    expect(output).toMatchObject([{ type: 'function_call', name: 'get_weather' }]);
  });

  it('tool-calling-streaming', async () => {
    const events = await stream(weather);
    checked(events);
    expect(events.map((event) => (event as { type: string }).type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
  });

  it('image-input', async () => {
    const content = [
      { type: 'input_text', text: 'What is in this image?' },
      { type: 'input_image', image_url: await dot() },
    ];
    await respond({ input: [{ type: 'message', role: 'user', content }] });
  });

  it('multi-turn', async () => {
    const hello = { type: 'message', role: 'assistant', content: 'Hello Alice!' };
    await respond({ input: [user('I am Alice.'), hello, user('Who am I?')] });
  });

  it('compact-response', async () => {
    const understood = { type: 'message', role: 'assistant', content: 'Understood: on Tuesday.' };
    const body = { model, prompt_cache_key: 'x', input: [user('We begin on Tuesday.'), understood] };
    const response = await post(body, '/responses/compact');
    expect(response.status).toBe(200);
    const { output } = compactResource.parse(await response.json());
    expect(output.map(({ type }) => type)).toContain('compaction');
  });

  it('compact-missing-model', async () => {
    const response = await post({ input: [user('Compact this.')] }, '/responses/compact');
    expect(response.status).toBe(400);
  });
});

describe('over a WebSocket', () => {
  it('websocket-response', async () => {
    await using connection = new Connection();
    checked((await connection.create({ input: [user('Count from 1 to 3.')] })).events);
  });

  it('websocket-sequential-responses', async () => {
    await using connection = new Connection();
    for (const input of ['First.', 'Second.']) checked((await connection.create(unstored(input))).events);
  });

  it('websocket-continuation', async () => {
    await using connection = new Connection();
    const first = checked((await connection.create(unstored('Remember: cobalt.'))).events);
    const next = unstored('Which word?', { previous_response_id: first.id });
    expect(checked((await connection.create(next)).events).previous_response_id).toBe(first.id);
    const told = JSON.stringify(readRequest(app.provider.requests.at(-1)!).messages);
    expect(told).toContain('cobalt');
  });

  it('websocket-reconnect-store-false-recovery', async () => {
    let id: string;
    {
      await using connection = new Connection();
      ({ id } = checked((await connection.create(unstored('Remember: copper.'))).events));
    }
    await using again = new Connection();
    const { error } = await again.create(unstored('Go on.', { previous_response_id: id }));
    expect(error?.error.code).toBe('previous_response_not_found');
    checked((await again.create(unstored([user('Begin anew.')]))).events);
  });

  it('websocket-previous-response-not-found', async () => {
    await using connection = new Connection();
    const missing = unstored('Go on.', { previous_response_id: 'resp_missing' });
    expect(await connection.create(missing)).toMatchObject({
      error: { status: 400, error: { code: 'previous_response_not_found', param: 'previous_response_id' } },
    });
  });

  it('websocket-failed-continuation-evicts-cache', async () => {
    await using connection = new Connection();
    const { id } = checked((await connection.create(unstored('Remember: ember.'))).events);
    const output = { type: 'function_call_output', call_id: 'call_missing', output: 'No such call.' };
    const failed = await connection.create(unstored([output], { previous_response_id: id }));
    expect(failed.error).not.toBeNull();
    const { error } = await connection.create(unstored('Go on.', { previous_response_id: id }));
    expect(error?.error.code).toBe('previous_response_not_found');
  });

  it('websocket-compact-new-chain', async () => {
    const input = [
      user('Remember: slate.'),
      { type: 'message', role: 'assistant', content: 'OK.' },
      user('Compress.'),
    ];
    const compacted = (await (await post({ model, input }, '/responses/compact')).json()) as {
      output: object[];
    };
    await using connection = new Connection();
    const next = unstored([...compacted.output, user('Go on.')], { tools: [] });
    checked((await connection.create(next)).events);
    const told = JSON.stringify(readRequest(app.provider.requests.at(-1)!).messages);
    expect(told).toContain('It is done.');
  });

  it('takes what is sent ahead, which stands before what comes next', async () => {
    await using connection = new Connection();
    const before = app.provider.requests.length;
    const ahead = unstored([user('Remember: amber.')], { generate: false });
    const { events } = await connection.create(ahead);
    const { id, output, usage } = checked(events);
    expect([output, usage?.total_tokens, app.provider.requests.length]).toEqual([[], 0, before]);
    const more = unstored([user('And: jade.')], { previous_response_id: id, generate: false });
    const next = checked((await connection.create(more)).events);
    const answer = checked((await connection.create(unstored([], { previous_response_id: next.id }))).events);
    expect(answer.output).toMatchObject([{ content: [{ text: 'It is done.' }] }]);
    expect(readRequest(app.provider.requests.at(-1)!).messages.at(-1)?.content).toMatch(/amber.*jade/s);
    const wrong = unstored('x', { model: 'nobody', generate: false });
    expect(await connection.create(wrong)).toMatchObject({ error: { error: { code: 'model_not_found' } } });
    await using other = new Connection();
    const { error } = await other.create(unstored('Go on.', { previous_response_id: id }));
    expect(error?.error.code).toBe('previous_response_not_found');
  });

  it('keeps a message’s worth of what is sent ahead', async () => {
    await using connection = new Connection();
    const half = (more: object = {}) =>
      connection.create(unstored([user('x'.repeat(600_000))], { generate: false, ...more }));
    const { id } = checked((await half()).events);
    expect(await half({ previous_response_id: id })).toMatchObject({ error: { status: 413 } });
    checked((await half()).events);
    expect(await half({ previous_response_id: id })).toMatchObject({
      error: { error: { code: 'previous_response_not_found' } },
    });
  });

  it('is for those who are signed in', async () => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/v1/responses`);
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toContain('401');
  });
});
