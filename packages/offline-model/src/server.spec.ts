import { once } from 'node:events';
import { request } from 'node:http';

import { type OfflineModel, start } from './server.js';

const hello = { model: 'any', messages: [{ role: 'user', content: 'Hello' }] };

let model: OfflineModel;
beforeAll(async () => {
  model = await start({ tokensPerSecond: 0 });
});
afterAll(() => model.close());

function post(body: object | string, at = model, path = '/chat/completions'): Promise<Response> {
  return fetch(`${at.baseUrl}${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

function chunksOf(text: string): { choices: { delta: { content?: string } }[]; usage?: object }[] {
  return text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice('data: '.length)));
}

describe('the protocol', () => {
  it('answers whole and in pieces alike, with usage where it is asked for', async () => {
    const whole = (await (await post(hello)).json()) as {
      choices: { message: { content: string } }[];
      usage: object;
    };
    const stream = await (
      await post({ ...hello, stream: true, stream_options: { include_usage: true } })
    ).text();
    const chunks = chunksOf(stream);
    const said = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    expect(said).toBe(whole.choices[0]?.message.content);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
    expect(stream.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('calls tools, in pieces as well', async () => {
    const parameters = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] };
    const tools = [{ type: 'function', function: { name: 'look_up', parameters } }];
    const asked = { ...hello, messages: [{ role: 'user', content: 'Where is the crane?' }], tools };
    const body = {
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            content: null,
            tool_calls: [{ function: { name: 'look_up', arguments: '{"query":"Where is the crane?"}' } }],
          },
        },
      ],
    };
    expect(await (await post(asked)).json()).toMatchObject(body);
    expect(await (await post({ ...asked, stream: true })).text()).toContain(
      '"name":"look_up","arguments":""',
    );
  });

  it('ends at the number of tokens that it is given', async () => {
    const cut = await (await post({ ...hello, max_tokens: 3 })).json();
    expect(cut).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 3 } });
  });

  it('lists itself, and refuses what it does not have or cannot read', async () => {
    const models = (await (await fetch(`${model.baseUrl}/models`)).json()) as { data: unknown[] };
    expect(models.data).toHaveLength(1);
    expect((await post('{')).status).toBe(400);
    expect((await post({ model: 'any', messages: [] })).status).toBe(400);
    expect((await post(hello, model, '/embeddings')).status).toBe(404);
    expect((await post(' '.repeat(9 * 1024 * 1024))).status).toBe(413);
  });
});

describe('with pauses between the pieces', () => {
  /** So slow that a stream only ever ends by being cut. */
  const slow = (): Promise<OfflineModel> => start({ tokensPerSecond: 0.001 });

  it('lets go of a stream whose reader is gone', async () => {
    const own = await slow();
    const asking = request(`${own.baseUrl}/chat/completions`, { method: 'POST' });
    asking.end(JSON.stringify({ ...hello, stream: true }));
    const [response] = (await once(asking, 'response')) as [NodeJS.ReadableStream];
    response.on('error', () => undefined); // the cut itself
    await once(response, 'data');
    asking.destroy();
    await own.close();
    await expect(fetch(`${own.baseUrl}/models`)).rejects.toThrow('fetch failed');
  });

  it('cuts open streams when it closes, and closes only once', async () => {
    const own = await slow();
    const response = await post({ ...hello, stream: true }, own);
    await Promise.all([own.close(), own.close()]);
    await expect(response.text()).rejects.toThrow('terminated');
  });
});
