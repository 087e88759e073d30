import type { JsonObject } from '@palabre/json';

import { ModelError } from './chat-model.js';
import { failure, finish, gate, hang, text, toolCall, type Script } from './scripted-chat-model.double.js';
import {
  disconnect,
  raw,
  startScriptedProvider,
  status,
  type ProviderReply,
  type ScriptedProvider,
} from './scripted-provider.double.js';

let provider: ScriptedProvider;

async function start(script: Script<JsonObject, ProviderReply>): Promise<void> {
  provider = await startScriptedProvider(script);
}

function ask(body: JsonObject = {}, signal?: AbortSignal): Promise<Response> {
  return fetch(`${provider.baseUrl}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
}

afterEach(() => provider.close());

describe('ScriptedProvider', () => {
  it('plays a reply as a stream of chunks', async () => {
    await start([[text('Hi'), toolCall('f', '{"x":1}', 'a'), finish()]]);
    const response = await ask({ model: 'm', stream_options: { include_usage: true } });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = (await response.text()).trimEnd().split('\n\n');
    expect(events.at(-1)).toBe('data: [DONE]');
    const chunks = events.slice(0, -1).map((event) => JSON.parse(event.slice(6)));
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }: JsonObject) => delta));
    expect(deltas).toEqual([
      { content: 'Hi' },
      { tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"x"' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] },
      {},
    ]);
    expect(chunks.at(-2).choices[0].finish_reason).toBe('tool_calls');
    expect(chunks.at(-1).usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 5 });
    expect(provider.requests).toEqual([{ model: 'm', stream_options: { include_usage: true } }]);
  });

  it('sends what it is told as it is: bytes, statuses, headers', async () => {
    await start([
      [raw('data: x\n\n'), raw(Uint8Array.of(0xe2))],
      [status(429, 'slow', { 'retry-after': '3' })],
    ]);
    expect(Buffer.from(await (await ask()).arrayBuffer()).toString('latin1')).toBe('data: x\n\n\u00e2');
    const refused = await ask();
    expect([refused.status, refused.headers.get('retry-after'), await refused.text()]).toEqual([
      429,
      '3',
      'slow',
    ]);
  });

  it('fails with a status before the first byte, and inside the stream after it', async () => {
    const error = new ModelError('MODEL_UNAVAILABLE', 'Down.', true);
    await start([[failure(error)], [text('a'), failure(error)]]);
    expect((await ask()).status).toBe(503);
    const inside = await ask();
    expect([inside.status, await inside.text()]).toEqual([200, expect.stringContaining('"code":503')]);
  });

  it('answers a call beyond the script so that it is seen', async () => {
    await start([]);
    const response = await ask();
    expect([response.status, await response.text()]).toEqual([418, expect.stringContaining('0 replies')]);
  });

  it('waits at a gate', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await start([[raw('a'), gate(promise), raw('b')]]);
    const body = (await ask()).body?.pipeThrough(new TextDecoderStream()).getReader();
    expect(await body?.read()).toEqual({ done: false, value: 'a' });
    resolve();
    expect(await body?.read()).toEqual({ done: false, value: 'b' });
  });

  it('tells of sockets that the client closes, before or while it is asked', async () => {
    await start(() => [raw('a'), hang()]);
    for (const aborts of [1, 2]) {
      const controller = new AbortController();
      await ask({}, controller.signal);
      controller.abort();
      await provider.nextAbort();
      expect(provider.aborted).toBe(aborts);
    }
  });

  it('counts neither whole replies nor cut ones as aborted', async () => {
    await start([
      [text('a'), finish()],
      [raw('a'), disconnect()],
    ]);
    await (await ask()).text();
    await expect(ask().then((response) => response.text())).rejects.toThrow('terminated');
    expect(provider.aborted).toBe(0);
  });
});
