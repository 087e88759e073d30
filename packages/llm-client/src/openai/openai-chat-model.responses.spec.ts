import type { JsonObject } from '@palabre/json';

import type { ChatMessage, ChatRequest, Echo, ToolCall } from '../chat-model.js';
import { finish, hang, reasoning, type Script, text, toolCall } from '../scripted-chat-model.double.js';
import {
  type ProviderReply,
  type ScriptedProvider,
  startScriptedProvider,
  status,
} from '../scripted-provider.double.js';
import { OpenAiChatModel, type OpenAiChatModelOptions } from './openai-chat-model.js';

const look = { name: 'look', description: 'Looks.', parameters: { type: 'object' } };
const asked: ChatRequest = {
  model: null,
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'How much?' },
  ],
  tools: [look],
  maxOutputTokens: 100,
};

let provider: ScriptedProvider;
let model: OpenAiChatModel;

async function start(
  script: Script<JsonObject, ProviderReply>,
  options: Partial<OpenAiChatModelOptions> = {},
): Promise<void> {
  provider = await startScriptedProvider(script);
  model = new OpenAiChatModel({
    baseUrl: provider.baseUrl,
    apiKey: 'a-key',
    model: 'm',
    api: 'responses',
    firstByteTimeoutMs: 20_000,
    idleTimeoutMs: 20_000,
    ...options,
  });
}

afterEach(async () => {
  model.close();
  await provider.close();
});

async function send(
  request: ChatRequest = asked,
): Promise<{ toolCalls: ToolCall[]; echo: Echo | undefined }> {
  const toolCalls: ToolCall[] = [];
  let echo: Echo | undefined;
  for await (const part of model.stream(request, new AbortController().signal)) {
    if (part.type === 'tool-call') toolCalls.push(part.call);
    if (part.type === 'finish') ({ echo } = part);
  }
  return { toolCalls, echo };
}

function inputOf(request: number): JsonObject[] {
  return (provider.requests[request] ?? {})['input'] as JsonObject[];
}
const answered: ProviderReply = [text('42'), finish()];
function refused(message: string, code = 400): ProviderReply {
  return [status(code, { error: { message, type: 'invalid_request_error', param: null, code: null } })];
}
const thinks: OpenAiChatModelOptions['traitsOf'] = () => ({
  api: 'responses',
  maxOutput: null,
  reasons: true,
  efforts: ['low', 'high'],
  structured: null,
});

describe('a request of the Responses API', () => {
  it('keeps nothing at the provider, and asks for thoughts that can be given back', async () => {
    await start([answered], { traitsOf: thinks });
    await send({
      ...asked,
      toolChoice: { name: 'look' },
      reasoningEffort: 'medium',
      cacheKey: 'a-conversation',
    });
    expect(provider.protocols).toEqual(['responses']);
    expect(provider.requests[0]).toEqual({
      model: 'm',
      input: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'How much?' },
      ],
      tools: [{ type: 'function', strict: false, ...look }],
      tool_choice: { type: 'function', name: 'look' },
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      prompt_cache_key: 'a-conversation',
      max_output_tokens: 100,
      store: false,
      stream: true,
    });
  });

  it('says nothing of thinking to a model that does not think', async () => {
    await start([answered], {
      traitsOf: () => ({ api: 'responses', maxOutput: null, reasons: false, efforts: [], structured: null }),
    });
    await send({ ...asked, reasoningEffort: 'high' });
    expect(provider.requests[0]).not.toHaveProperty('reasoning');
    expect(provider.requests[0]).not.toHaveProperty('include');
  });

  it('has a model think as little as it can where nobody waits for the answer', async () => {
    await start([answered], { traitsOf: thinks });
    await send({ ...asked, isUpkeep: true });
    expect(provider.requests[0]).toMatchObject({ reasoning: { effort: 'low' } });
  });

  it('gives a step back with its thoughts, sealed as they came, in their place', async () => {
    await start([
      [reasoning('Hm.'), text('I look.'), toolCall('look', { at: 1 }, 'call_1'), finish()],
      answered,
    ]);
    const { toolCalls, echo } = await send();
    const step: ChatMessage = { role: 'assistant', content: 'I look.', toolCalls, ...(echo && { echo }) };
    await send({
      ...asked,
      messages: [...asked.messages, step, { role: 'tool', toolCallId: 'call_1', content: '41' }],
    });
    const summary = [{ type: 'summary_text', text: 'Hm.' }];
    expect(inputOf(1).slice(2)).toEqual([
      { type: 'reasoning', id: 'rs_0', summary, encrypted_content: 'sealed-0' },
      { role: 'assistant', content: 'I look.' },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{"at":1}' },
      { type: 'function_call_output', call_id: 'call_1', output: '41' },
    ]);
  });

  it('gives nothing back of what another model thought, and takes its ids of calls', async () => {
    await start([answered]);
    const id = `functions.look:0 ${'x'.repeat(80)}`;
    const echo = { model: 'other', data: JSON.stringify({ provider: 'p', items: [] }) };
    const toolCalls = [{ id, name: 'look', arguments: 'no JSON' }];
    const step: ChatMessage = { role: 'assistant', content: '', toolCalls, echo };
    await send({
      ...asked,
      messages: [...asked.messages, step, { role: 'tool', toolCallId: id, content: '41' }],
    });
    const [call, result] = inputOf(0).slice(2);
    expect(call).toMatchObject({ type: 'function_call', arguments: '{}' });
    expect(call?.['call_id']).toMatch(/^[\w-]{1,64}$/);
    expect(result?.['call_id']).toBe(call?.['call_id']);
  });

  it.each([
    ['Encrypted content is not supported with this model.', { include: undefined }],
    ["Unsupported parameter: 'prompt_cache_key'.", { prompt_cache_key: undefined }],
    [
      "Unsupported value: 'reasoning.effort' does not support 'high' with this model.",
      { reasoning: { summary: 'auto' } },
    ],
    [
      'Your organization must be verified to generate reasoning summaries.',
      { reasoning: { effort: 'high' } },
    ],
    ["Unsupported parameter: 'tool_choice'.", { tool_choice: undefined }],
  ])('leaves out what the provider refuses, from then on: %s', async (message, wanted) => {
    const [[name, value] = ['', undefined]] = Object.entries<unknown>(wanted);
    const isWanted = (body: JsonObject): boolean => JSON.stringify(body[name]) === JSON.stringify(value);
    await start((body) => (isWanted(body) ? answered : refused(message)), { traitsOf: thinks });
    const request = { ...asked, toolChoice: 'required', reasoningEffort: 'high', cacheKey: 'c' } as const;
    await send(request);
    await send(request);
    expect(provider.requests).toHaveLength(3);
  });

  it('is made once only where what is wrong is something else', async () => {
    await start(() => refused('Invalid schema for function look.'), { traitsOf: thinks });
    await expect(send({ ...asked, reasoningEffort: 'high', cacheKey: 'c' })).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      retryable: false,
    });
    expect(provider.requests).toHaveLength(1);
  });

  it('is closed at the socket when it is cancelled', async () => {
    await start([[text('4'), hang()]]);
    const controller = new AbortController();
    const parts = model.stream(asked, controller.signal);
    expect(await parts.next()).toMatchObject({ value: { type: 'text', text: '4' } });
    controller.abort(new Error('Enough.'));
    await expect(parts.next()).rejects.toThrow('Enough.');
    await provider.nextAbort();
  });
});

describe('which protocol a model is asked in', () => {
  const useless =
    "Function tools with reasoning_effort are not supported for m in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
  const chat: OpenAiChatModelOptions['traitsOf'] = () => ({
    api: 'chat',
    maxOutput: null,
    reasons: null,
    efforts: null,
    structured: null,
  });

  it('is learnt from a refusal of chat completions, for this model', async () => {
    await start((body) => ('messages' in body && body['model'] === 'm' ? refused(useless) : answered), {
      api: 'auto',
      traitsOf: chat,
    });
    await send();
    await send();
    await send({ ...asked, model: 'other' });
    expect(provider.protocols).toEqual(['chat', 'responses', 'responses', 'chat']);
  });

  it('is chat completions for all where there is no /responses, whatever was known before', async () => {
    await start([answered, answered, answered], { api: 'auto', traitsOf: thinks });
    provider.speaksResponses = false;
    await send();
    await send({ ...asked, model: 'other' });
    expect(provider.protocols).toEqual(['chat', 'chat']);
    expect(provider.unknownRequests).toBe(1);
    provider.speaksResponses = true;
    await send();
    expect(provider.protocols).toEqual(['chat', 'chat', 'chat']);
  });

  it('does not go to and fro where neither will do', async () => {
    await start(() => refused(useless), { api: 'auto', traitsOf: chat });
    provider.speaksResponses = false;
    await expect(send()).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    // As it is, then without thinking.
    expect(provider.requests.map((body) => body['reasoning_effort'])).toEqual([undefined, undefined, 'none']);
  });

  it('is not another one for a model that nobody knows', async () => {
    await start(() => refused('The model `m` does not exist.', 404), { api: 'auto', traitsOf: thinks });
    await expect(send()).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', status: 404 });
    expect(provider.protocols).toEqual(['responses']);
  });

  it('is the one that is set, also where it is refused', async () => {
    await start(() => refused(useless), { api: 'chat' });
    await expect(send({ ...asked, tools: [] })).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    expect(provider.protocols).toEqual(['chat']);
  });
});
