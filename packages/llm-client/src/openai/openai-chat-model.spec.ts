import { once } from 'node:events';
import http from 'node:http';
import type { JsonObject } from '@palabre/json';
import { type ChatPart, type ChatRequest, ModelError } from '../chat-model.js';
import { chunk, content, done, event } from '../fixtures/provider-quirk.double.js';
import { OpenAiChatModel, type OpenAiChatModelOptions } from './openai-chat-model.js';
import {
  failure,
  finish,
  gate,
  hang,
  reasoning,
  retraction,
  text,
  toolCall,
  type Script,
} from '../scripted-chat-model.double.js';
import {
  disconnect,
  raw,
  startScriptedProvider,
  status,
  type ProviderReply,
  type ScriptedProvider,
} from '../scripted-provider.double.js';

const request: ChatRequest = {
  model: null,
  messages: [{ role: 'user', content: 'Bonjour' }],
  tools: [],
  maxOutputTokens: 100,
};
const never = new AbortController().signal;

let provider: ScriptedProvider;
let model: OpenAiChatModel;

async function start(
  script: Script<JsonObject, ProviderReply>,
  options: Partial<OpenAiChatModelOptions> = {},
): Promise<void> {
  provider = await startScriptedProvider(script);
  model = new OpenAiChatModel({
    baseUrl: provider.baseUrl,
    apiKey: 'sk-very-secret',
    model: 'm',
    firstByteTimeoutMs: 20_000,
    idleTimeoutMs: 20_000,
    ...options,
  });
}

afterEach(async () => {
  model.close();
  await provider.close();
});

async function partsOf(given: ChatRequest = request, signal = never): Promise<ChatPart[]> {
  const parts: ChatPart[] = [];
  for await (const part of model.stream(given, signal)) parts.push(part);
  return parts;
}

/** The texts joined, whatever the pieces. */
function inWords(parts: readonly ChatPart[]): string[] {
  const words: string[] = [];
  for (const part of parts) {
    const said = words.at(-1) ?? '';
    if (!('text' in part)) words.push(part.type);
    else if (said.startsWith(`${part.type}: `)) words[words.length - 1] = said + part.text;
    else words.push(`${part.type}: ${part.text}`);
  }
  return words;
}

function failureOf(given: ChatRequest = request): Promise<unknown> {
  return partsOf(given).then(
    () => null,
    (error: unknown) => error,
  );
}

describe('OpenAiChatModel streams', () => {
  it('the parts in order, with whole tool calls and the usage last', async () => {
    const usage = { inputTokens: 30, outputTokens: 7, cachedInputTokens: 20 };
    const reply = [
      reasoning('Hm'),
      text('Hel'),
      text('lo'),
      toolCall('f', { x: 1 }, 'a'),
      finish(null, usage),
    ];
    await start([reply]);
    expect(await partsOf()).toEqual([
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: 'Hello' },
      { type: 'tool-call', call: { id: 'a', name: 'f', arguments: '{"x":1}' } },
      {
        type: 'finish',
        reason: 'tool-calls',
        usage: { ...usage, reasoningTokens: 1, source: 'PROVIDER' },
        model: 'scripted',
        echo: { model: 'm', data: expect.stringContaining('Hm') },
      },
    ]);
  });

  it('each part when it comes, not when the answer is over', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await start([[text('Hel'), gate(promise), text('lo'), finish()]]);
    const parts = model.stream(request, never);
    expect(await parts.next()).toEqual({ done: false, value: { type: 'text', text: 'Hel' } });
    resolve();
    expect(await parts.next()).toEqual({ done: false, value: { type: 'text', text: 'lo' } });
    await parts.next();
    expect(await parts.next()).toEqual({ done: true, value: undefined });
  });

  it('all of a long answer to a slow reader', async () => {
    const body =
      Array.from({ length: 40_000 }, (_, i) => content(`${i} `)).join('') + chunk({}, 'stop') + done;
    await start([[raw(body)]]);
    const parts: ChatPart[] = [];
    for await (const part of model.stream(request, never)) {
      parts.push(part);
      if (parts.length % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const words = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    expect(words).toBe(Array.from({ length: 40_000 }, (_, i) => `${i} `).join(''));
  });

  it('no thoughts of a model that is known not to open them, and all it says where none come', async () => {
    const thinking = [text('Okay, '), text('a greeting.'), retraction(), text('Bonjour'), finish()];
    const cut = [text('Okay, '), text('a greeting.'), finish('length')];
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = [text('Bon'), gate(promise), text('jour'), finish()];
    await start([thinking, thinking, cut, [text('Bonjour'), finish()], slow, thinking]);
    const found = ['text: Okay, a greeting.', 'retraction', 'text: Bonjour', 'finish'];
    expect(inWords(await partsOf())).toEqual(found);
    expect(inWords(await partsOf())).toEqual(['reasoning: Okay, a greeting.', 'text: Bonjour', 'finish']);
    // A cut answer may be only thoughts, which are better than nothing and prove nothing.
    const unclosed = await partsOf();
    expect(inWords(unclosed)).toEqual([
      'reasoning: Okay, a greeting.',
      'no-reasoning',
      'text: Okay, a greeting.',
      'finish',
    ]);
    expect(unclosed.at(-1)).toMatchObject({ usage: { reasoningTokens: 0 } });
    expect(inWords(await partsOf())).toEqual([
      'reasoning: Bonjour',
      'no-reasoning',
      'text: Bonjour',
      'finish',
    ]);
    const parts = model.stream(request, never);
    expect(await parts.next()).toEqual({ done: false, value: { type: 'text', text: 'Bon' } });
    resolve();
    await parts.return?.();
    expect(inWords(await partsOf())).toEqual(found);
  });

  it('thoughts that are known as they come, so that a call that breaks off among them is seen to have begun', async () => {
    const begun = [text('Okay, '), gate(new Promise(() => undefined))];
    await start([[text('Okay.'), retraction(), text('Bonjour'), finish()], begun]);
    await partsOf();
    const parts = model.stream(request, never);
    expect(await parts.next()).toEqual({ done: false, value: { type: 'reasoning', text: 'Okay, ' } });
    await parts.return?.();
  });

  it('thoughts of each model as it has them', async () => {
    const thinking = [text('Okay.'), retraction(), text('Bonjour'), finish()];
    await start([thinking, thinking, thinking]);
    const first = async (name: string) => (await partsOf({ ...request, model: name }))[0]?.type;
    expect([await first('m'), await first('m'), await first('other')]).toEqual(['text', 'reasoning', 'text']);
  });

  it('estimated usage where the provider counts nothing', async () => {
    await start([[text('abcdefgh'), finish('stop', { source: 'ESTIMATED' })]]);
    const inputTokens = Math.ceil(JSON.stringify([request.messages, request.tools]).length / 4);
    const usage = { inputTokens, outputTokens: 2, cachedInputTokens: 0, source: 'ESTIMATED' };
    expect((await partsOf()).at(-1)).toMatchObject({ type: 'finish', usage });
  });

  it('over one connection, one answer after the other, also where the provider sends on after [DONE]', async () => {
    await start(() => [text('a'), finish(), raw(': bye\n\n')]);
    for (let i = 0; i < 5; i++) await partsOf();
    expect(provider.requests).toHaveLength(5);
    // The first answer's end may still be on its way when the second request is sent.
    expect(provider.connections).toBeLessThanOrEqual(2);
  });

  it('new ids for calls whose ids the conversation has already', async () => {
    const call = { id: '0', name: 'f', arguments: '{}' };
    await start([[toolCall('f', {}, '0'), finish()]]);
    const parts = await partsOf({
      ...request,
      messages: [
        { role: 'assistant', content: '', toolCalls: [call] },
        { role: 'tool', toolCallId: '0', content: 'ok' },
      ],
    });
    expect(parts[0]).toEqual({
      type: 'tool-call',
      call: { ...call, id: expect.stringMatching(/^[A-Za-z0-9]{9}$/) },
    });
  });
});

describe('OpenAiChatModel sends', () => {
  it('the conversation, the tools and the key as the protocol has them', async () => {
    await start([[finish()]]);
    const parameters = { type: 'object', properties: {} };
    await partsOf({
      model: 'other',
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'f', arguments: '' }] },
        { role: 'tool', toolCallId: 'a', content: '1' },
        { role: 'assistant', content: 'Hm', toolCalls: [{ id: 'b', name: 'f', arguments: '{"x":' }] },
        { role: 'tool', toolCallId: 'b', content: '2' },
        { role: 'assistant', content: 'Done' },
      ],
      tools: [{ name: 'f', description: 'F.', parameters }],
      toolChoice: { name: 'f' },
      maxOutputTokens: 50,
    });
    const call = (id: string): JsonObject => ({
      id,
      type: 'function',
      function: { name: 'f', arguments: '{}' },
    });
    expect(provider.requests).toEqual([
      {
        model: 'other',
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: null, tool_calls: [call('a')] },
          { role: 'tool', tool_call_id: 'a', content: '1' },
          { role: 'assistant', content: 'Hm', tool_calls: [call('b')] },
          { role: 'tool', tool_call_id: 'b', content: '2' },
          { role: 'assistant', content: 'Done' },
        ],
        tools: [{ type: 'function', function: { name: 'f', description: 'F.', parameters } }],
        tool_choice: { type: 'function', function: { name: 'f' } },
        max_tokens: 50,
        stream: true,
        stream_options: { include_usage: true },
      },
    ]);
    expect(provider.headers[0]).toMatchObject({ authorization: 'Bearer sk-very-secret' });
  });

  it('no word of tools where there are none', async () => {
    await start([[finish()]]);
    await partsOf({ ...request, toolChoice: 'none' });
    expect(Object.keys(provider.requests[0] ?? {}).toSorted()).toEqual(
      ['max_tokens', 'messages', 'model', 'stream', 'stream_options'].toSorted(),
    );
  });
});

describe('OpenAiChatModel stops', () => {
  it.each([
    ['before the headers', [hang()]],
    ['after the headers', [raw(''), hang()]],
    ['in the middle', [text('a'), hang()]],
  ] as [string, ProviderReply][])('and closes the socket when aborted %s', async (_, reply) => {
    await start([reply]);
    const controller = new AbortController();
    const parts = model.stream(request, controller.signal);
    const first = reply[0]?.type === 'text' ? await parts.next() : null;
    const next = parts.next();
    await until(() => provider.requests.length === 1);
    controller.abort(new Error('cancelled'));
    await expect(next).rejects.toThrow('cancelled');
    await provider.nextAbort();
    expect(await parts.next()).toEqual({ done: true, value: undefined });
    expect(first === null || first.value?.type === 'text').toBe(true);
  });

  it('and closes the socket when the reader leaves, also while the provider is silent', async () => {
    await start([[text('a'), hang()], [hang()]]);
    for await (const part of model.stream(request, never)) {
      expect(part).toEqual({ type: 'text', text: 'a' });
      break;
    }
    await provider.nextAbort();
    const silent = model.stream(request, never);
    const next = silent.next();
    await until(() => provider.requests.length === 2);
    await silent.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
    await provider.nextAbort();
    expect(provider.aborted).toBe(2);
  });

  it('before it has begun: no request for a signal that is aborted, nor for a stream that is not read', async () => {
    await start([]);
    model.stream(request, never);
    await expect(partsOf(request, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
    expect(provider.requests).toEqual([]);
  });

  it('when it is closed', async () => {
    await start([[text('a'), hang()]]);
    const parts = model.stream(request, never);
    await parts.next();
    model.close();
    await expect(parts.next()).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
    await provider.nextAbort();
  });

  it('listening to the signal when the answer is over', async () => {
    await start([[text('a'), finish()]]);
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    await partsOf(request, signal);
    expect(added).toHaveBeenCalledTimes(1);
    expect(removed.mock.calls[0]?.slice(0, 2)).toEqual(added.mock.calls[0]?.slice(0, 2));
  });
});

describe('OpenAiChatModel fails', () => {
  it.each([
    ['headers', [hang()]],
    ['a first byte', [raw(''), hang()]],
  ] as [string, ProviderReply][])('when the provider is silent instead of sending %s', async (_, reply) => {
    await start([reply], { firstByteTimeoutMs: 50 });
    expect(await failureOf()).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      retryable: true,
      detail: 'no answer in 50 ms',
    });
    await provider.nextAbort();
  });

  it('when the provider falls silent in the middle', async () => {
    await start([[text('a'), hang()]], { idleTimeoutMs: 50 });
    const error = await failureOf();
    expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true, detail: 'silent for 50 ms' });
    await provider.nextAbort();
  });

  it('not at all when the provider falls silent, or breaks off, after the finish reason', async () => {
    const stopped = raw(content('a') + chunk({}, 'stop'));
    await start(
      [
        [stopped, hang()],
        [stopped, disconnect()],
      ],
      { idleTimeoutMs: 50 },
    );
    for (const _ of [1, 2]) expect((await partsOf()).map(({ type }) => type)).toEqual(['text', 'finish']);
  });

  it('with the parts that came first when the connection breaks', async () => {
    await start([[text('a'), disconnect()]]);
    const parts = model.stream(request, never);
    expect(await parts.next()).toMatchObject({ value: { type: 'text', text: 'a' } });
    await expect(parts.next()).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
  });

  it('when nobody listens at the address', async () => {
    await start([]);
    const gone = http.createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const address = gone.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    gone.close();
    await once(gone, 'close');
    model = new OpenAiChatModel({
      baseUrl: `http://127.0.0.1:${port}/v1`,
      apiKey: '',
      model: 'm',
      firstByteTimeoutMs: 20_000,
      idleTimeoutMs: 20_000,
    });
    const error = await failureOf();
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
    expect(error).toMatchObject({ detail: expect.stringContaining('ECONNREFUSED') });
  });

  it('as the provider asks: not before the time it gives', async () => {
    await start([
      [status(429, { error: { message: 'Slow down' } }, { 'retry-after': '7' })],
      [failure(new ModelError('MODEL_UNAVAILABLE', 'later', true, undefined, 250))],
      // Gemini's form: a list with the time inside.
      [status(429, [{ error: { code: 429, message: 'Slow down', details: [{ retryDelay: '2s' }] } }])],
    ]);
    expect(await failureOf()).toMatchObject({ retryable: true, retryAfterMs: 7000 });
    expect(await failureOf()).toMatchObject({ retryable: true, retryAfterMs: 250 });
    expect(await failureOf()).toMatchObject({ retryable: true, retryAfterMs: 2000 });
    expect(provider.requests).toHaveLength(3);
  });

  it('without its key in any word of it', async () => {
    const message = 'Incorrect API key provided: sk-very-secret (sk-ve****cret).';
    await start(() => [status(401, { error: { message, code: 'invalid_api_key' } })]);
    const error = await failureOf();
    expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: false });
    const words = JSON.stringify([
      error,
      (error as Error).message,
      (error as Error).stack,
      (error as Error).cause,
    ]);
    expect(words).toContain('Incorrect API key provided: [key]');
    expect(words).not.toContain('cret');
  });

  it('in the names of the settings that it was given, before an answer and in the midst of one', async () => {
    const settings = { baseUrl: 'THE_URL', key: 'THE_KEY', model: 'THE_MODEL', tooLong: 'It is too long.' };
    await start(
      [
        [status(401)],
        [raw(content('Bon') + event({ error: { code: 401, message: 'User not found.' } }))],
        [raw('<html>Sign in</html>')],
      ],
      { settings },
    );
    expect(await failureOf()).toMatchObject({ message: expect.stringContaining('THE_KEY') });
    expect(await failureOf()).toMatchObject({ message: expect.stringContaining('THE_KEY') });
    expect(await failureOf()).toMatchObject({ message: expect.stringContaining('THE_URL') });
  });

  it('with the last that came where nothing of it was an answer', async () => {
    await start([[raw(chunk({ role: 'assistant' }) + event({ id: 'c1', choices: [], note: 'busy' }))]]);
    expect(await failureOf()).toMatchObject({
      message: expect.stringContaining('empty'),
      detail: expect.stringContaining('busy'),
    });
  });

  it('in words for a page of HTML with a status', async () => {
    await start([[status(502, `<html>${'x'.repeat(100_000)}</html>`)]]);
    const error = await failureOf();
    expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
    expect((error as ModelError).detail).toHaveLength(2000);
  });
});

/** Waits for the effect of another socket's event. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}
