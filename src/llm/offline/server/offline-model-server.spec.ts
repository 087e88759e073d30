import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import OpenAI from 'openai';
import { type OfflineModelServer, startOfflineModel } from './offline-model-server.js';

let server: OfflineModelServer;
let client: OpenAI;
beforeAll(async () => {
  server = await startOfflineModel({ tokensPerSecond: 0 });
  client = new OpenAI({ baseURL: server.baseUrl, apiKey: 'none', maxRetries: 0 });
});
afterAll(() => server.close());

const profileTool = {
  type: 'function' as const,
  function: {
    name: 'get_company_profile',
    description: "The company's profile.",
    parameters: { type: 'object', properties: {} },
  },
};
const allOf = async <Chunk>(stream: AsyncIterable<Chunk>): Promise<Chunk[]> => {
  const chunks: Chunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
};
const hello = [{ role: 'user' as const, content: 'Bonjour, qui es-tu ?' }];
const post = (body: string, path = '/chat/completions') =>
  fetch(`${server.baseUrl}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });

describe('through the openai client', () => {
  it('streams a text in small pieces, with usage in a last chunk without choices', async () => {
    const stream = await client.chat.completions.create({
      model: 'any',
      messages: hello,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await allOf(stream);
    const texts = chunks.flatMap((chunk) => chunk.choices[0]?.delta.content ?? []);
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.join('')).toContain('LLM_BASE_URL');
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)?.choices).toEqual([]);
    expect(chunks.at(-1)?.usage?.completion_tokens).toBeGreaterThan(20);
  });

  it('gives the same text whole as streamed', async () => {
    const whole = await client.chat.completions.create({ model: 'any', messages: hello });
    const stream = await client.chat.completions.create({ model: 'any', messages: hello, stream: true });
    const texts = (await allOf(stream)).map((chunk) => chunk.choices[0]?.delta.content ?? '');
    expect(texts.join('')).toBe(whole.choices[0]?.message.content);
  });

  it('calls a tool and words its result', async () => {
    const question = { role: 'user' as const, content: 'Que sais-tu de mon entreprise ?' };
    const runner = client.chat.completions.stream({
      model: 'any',
      messages: [question],
      tools: [profileTool],
    });
    const first = await runner.finalChatCompletion();
    const call = first.choices[0]?.message.tool_calls?.[0];
    expect(first.choices[0]?.finish_reason).toBe('tool_calls');
    expect(call).toMatchObject({
      type: 'function',
      function: { name: 'get_company_profile', arguments: '{}' },
    });
    const second = await client.chat.completions.create({
      model: 'any',
      tools: [profileTool],
      messages: [
        question,
        { role: 'assistant', tool_calls: first.choices[0]?.message.tool_calls },
        { role: 'tool', tool_call_id: call?.id ?? '', content: '{"name":"Teranga","headcount":1450}' },
      ],
    });
    expect(second.choices[0]?.message.content).toMatch(/Teranga[^]*1\s450/);
  });

  it('stops at the token limit and says so', async () => {
    const cut = await client.chat.completions.create({
      model: 'any',
      messages: hello,
      max_completion_tokens: 5,
    });
    expect(cut.choices[0]?.finish_reason).toBe('length');
    expect(cut.usage?.completion_tokens).toBeLessThanOrEqual(5);
  });

  it('lists its one model', async () => {
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['palabre-offline']);
  });

  it('answers several at a time', async () => {
    const ask = () => client.chat.completions.create({ model: 'any', messages: hello });
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    expect(new Set(answers.map((answer) => answer.choices[0]?.message.content)).size).toBe(1);
  });
});

describe('bad requests', () => {
  it.each([
    ['no JSON', '{"model":', 400],
    ['no messages', '{"model":"x"}', 400],
    ['an unknown role', '{"model":"x","messages":[{"role":"wizard","content":"hi"}]}', 400],
    [
      'parameters that are no object',
      '{"model":"x","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"a","parameters":3}}]}',
      400,
    ],
    ['a body over the limit', `{"model":"${'x'.repeat(9 * 1024 * 1024)}"}`, 413],
  ])('refuses %s in OpenAI’s format', async (_, body, status) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      error: { message: expect.any(String), type: 'invalid_request_error' },
    });
  });

  it('has nothing at other paths', async () => {
    expect((await post('{}', '/embeddings')).status).toBe(404);
    expect((await fetch(`${server.baseUrl}/chat/completions`)).status).toBe(404);
  });
});

describe('with pauses between the pieces', () => {
  /** So slow that a stream only ever ends by being cut. */
  const slow = () => startOfflineModel({ tokensPerSecond: 0.001 });

  it('lets go of a stream whose client is gone', async () => {
    const own = await slow();
    const asking = request(`${own.baseUrl}/chat/completions`, { method: 'POST' });
    asking.end(JSON.stringify({ model: 'x', messages: hello, stream: true }));
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    response.on('error', () => undefined); // the cut itself
    const gone = new Promise((resolve) => response.once('close', resolve));
    await once(response, 'data');
    asking.destroy();
    await gone;
    await own.close();
    await expect(fetch(`${own.baseUrl}/models`)).rejects.toThrow('fetch failed');
  });

  it('rejects a client that aborts with its own error', async () => {
    const own = await slow();
    const stream = await new OpenAI({ baseURL: own.baseUrl, apiKey: 'none' }).chat.completions.create({
      model: 'any',
      messages: hello,
      stream: true,
    });
    for await (const _ of stream) stream.controller.abort();
    expect(stream.controller.signal.aborted).toBe(true);
    await own.close();
  });

  it('cuts open streams when it closes, and closes only once', async () => {
    const own = await slow();
    const response = await fetch(`${own.baseUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'x', messages: hello, stream: true }),
    });
    await Promise.all([own.close(), own.close()]);
    await expect(response.text()).rejects.toThrow('terminated');
  });
});
