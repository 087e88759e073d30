import type { JsonObject, JsonValue } from '@palabre/json';

import type { ChatMessage, ChatRequest, Echo, ToolCall } from '../chat-model.js';
import { calls, chunk, done } from '../fixtures/provider-quirk.double.js';
import { OpenAiChatModel, type OpenAiChatModelOptions } from './openai-chat-model.js';
import { finish, type Script, text } from '../scripted-chat-model.double.js';
import {
  type ProviderReply,
  raw,
  type ScriptedProvider,
  startScriptedProvider,
  status,
} from '../scripted-provider.double.js';

const look = { name: 'look', description: 'Looks.', parameters: { type: 'object' } };
const asked: ChatRequest = {
  model: null,
  messages: [{ role: 'user', content: 'Combien ?' }],
  tools: [look],
  maxOutputTokens: 100,
};

let provider: ScriptedProvider;
let model: OpenAiChatModel;

function open(options: Partial<OpenAiChatModelOptions> = {}): OpenAiChatModel {
  return new OpenAiChatModel({
    baseUrl: provider.baseUrl,
    apiKey: 'a-key',
    model: 'm',
    firstByteTimeoutMs: 20_000,
    idleTimeoutMs: 20_000,
    ...options,
  });
}

async function start(
  script: Script<JsonObject, ProviderReply>,
  options?: Partial<OpenAiChatModelOptions>,
): Promise<void> {
  provider = await startScriptedProvider(script);
  model = open(options);
}

afterEach(async () => {
  model.close();
  await provider.close();
});

interface Taken {
  toolCalls: ToolCall[];
  echo: Echo | undefined;
}

async function take(request: ChatRequest = asked): Promise<Taken> {
  const taken: Taken = { toolCalls: [], echo: undefined };
  for await (const part of model.stream(request, new AbortController().signal)) {
    if (part.type === 'tool-call') taken.toolCalls.push(part.call);
    if (part.type === 'finish') taken.echo = part.echo;
  }
  return taken;
}

/** The request after a step, and its assistant's message as the provider got it. */
function after({ toolCalls, echo }: Taken): ChatRequest {
  return {
    ...asked,
    messages: [
      ...asked.messages,
      { role: 'assistant', content: '', toolCalls, ...(echo && { echo }) },
      ...toolCalls.map(({ id }): ChatMessage => ({ role: 'tool', toolCallId: id, content: '42' })),
    ],
  };
}

function assistantsIn(body: JsonObject | undefined): JsonObject[] {
  return ((body ?? {})['messages'] as JsonObject[]).filter(({ role }) => role === 'assistant');
}

function assistantIn(body: JsonObject | undefined): JsonObject | undefined {
  return assistantsIn(body)[0];
}

function streamed(...chunks: string[]): ProviderReply {
  return [raw(chunks.join('') + chunk({}, 'stop') + done)];
}
const answered: ProviderReply = [text('42'), finish()];

/** Gemini 3 on its compatible endpoint: whole calls without an index, of which the first is signed. */
function geminiCall(id: string, signature: string | null): JsonObject {
  return {
    ...(signature !== null && { extra_content: { google: { thought_signature: signature } } }),
    function: { arguments: '{"at":1}', name: 'look' },
    id,
    type: 'function',
  };
}

const calledLook = calls({ index: 0, id: 'a', function: { name: 'look', arguments: '{}' } });

describe('OpenAiChatModel gives back with a step', () => {
  it('the signatures that came with its calls, and with its text (Gemini)', async () => {
    const said = { role: 'assistant', content: 'Je cherche.' };
    const signed = { content: '', extra_content: { google: { thought_signature: 'of the text' } } };
    await start([
      streamed(chunk(said), calls(geminiCall('a', 'A=='), geminiCall('b', null)), chunk(signed)),
      answered,
    ]);
    await take(after(await take()));
    const sent = { type: 'function', function: { name: 'look', arguments: '{"at":1}' } };
    expect(assistantIn(provider.requests[1])).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [
        { ...sent, id: 'a', extra_content: { google: { thought_signature: 'A==' } } },
        { ...sent, id: 'b' },
      ],
      extra_content: { google: { thought_signature: 'of the text' } },
    });
  });

  it('a signature that comes behind its call, or in an answer that was not streamed', async () => {
    const extra = { extra_content: { google: { thought_signature: 'A==' } } };
    const message = { role: 'assistant', content: null, tool_calls: [geminiCall('a', 'A==')] };
    const whole = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
    await start([
      streamed(calledLook, calls(extra)),
      answered,
      [status(200, whole as unknown as JsonValue)],
      answered,
    ]);
    await take(after(await take()));
    await take(after(await take()));
    for (const body of [provider.requests[1], provider.requests[3]]) {
      expect(assistantIn(body)).toMatchObject({ tool_calls: [{ id: 'a', ...extra }] });
    }
  });

  it('its thoughts where they came as reasoning_content (DeepSeek, Moonshot), and not as reasoning (Groq)', async () => {
    await start([
      streamed(chunk({ reasoning_content: 'Je ' }), chunk({ reasoning_content: 'pense.' }), calledLook),
      answered,
      streamed(chunk({ reasoning: 'Je pense.' }), calledLook),
      answered,
    ]);
    await take(after(await take()));
    expect(assistantIn(provider.requests[1])).toHaveProperty('reasoning_content', 'Je pense.');
    const taken = await take();
    expect(taken.echo).toBeUndefined();
    await take(after(taken));
    expect(Object.keys(assistantIn(provider.requests[3]) ?? {})).toEqual(['role', 'content', 'tool_calls']);
  });

  it('reasoning_details, joined and in their order (OpenRouter)', async () => {
    const piece = (words: string): JsonObject => ({ type: 'reasoning.text', text: words, index: 0 });
    const sealed = { type: 'reasoning.encrypted', data: 'x', id: 'tool_0', index: 1 };
    const details = (...list: JsonObject[]): string => chunk({ reasoning_details: list });
    const end = { type: 'reasoning.text', signature: 'S', index: 0 };
    await start([
      streamed(details(piece('Let')), details(piece(' me')), details(end, sealed), calledLook),
      answered,
    ]);
    await take(after(await take()));
    expect(assistantIn(provider.requests[1])).toHaveProperty('reasoning_details', [
      { ...piece('Let me'), signature: 'S' },
      sealed,
    ]);
  });

  describe('nothing', () => {
    const thoughtful = streamed(chunk({ reasoning_content: 'Je pense.' }), calledLook);

    it('where it called nothing', async () => {
      await start([streamed(chunk({ reasoning_content: 'Je pense.' }), chunk({ content: '42' }))]);
      expect((await take()).echo).toBeUndefined();
    });

    it('to another model, or to one of the same name elsewhere', async () => {
      await start((_, count) => (count === 1 ? thoughtful : answered));
      const request = after(await take());
      await take({ ...request, model: 'other' });
      model.close();
      model = open({ baseUrl: provider.baseUrl.replace('/v1', '/v2/v1') });
      await take(request);
      await take({ ...request, messages: request.messages.map(broken) });
      for (const body of provider.requests.slice(1)) {
        expect(assistantIn(body)).not.toHaveProperty('reasoning_content');
      }
    });

    const broken = (message: ChatMessage): ChatMessage =>
      message.role === 'assistant' ? { ...message, echo: { model: 'm', data: '{' } } : message;

    it('that is too long, which is told', async () => {
      const long: [string, number][] = [];
      const words = 'é'.repeat(128 * 1024);
      await start([streamed(chunk({ reasoning_content: words }), calledLook)], {
        onLongEcho: (...told) => long.push(told),
      });
      expect((await take()).echo).toBeUndefined();
      expect(long).toEqual([['m', expect.any(Number)]]);
      expect(long[0]?.[1]).toBeGreaterThan(2 * 128 * 1024);
    });
  });
});

describe('OpenAiChatModel learns what a provider wants back', () => {
  const refusal = (message: string, code = 400): ProviderReply => [status(code, { error: { message } })];
  const call = (id: string): ToolCall => ({ id, name: 'look', arguments: '{}' });
  /** After an answer of the conversation, a step of another model, and one of this model. */
  const mixed = (echo: Echo | undefined): ChatRequest => ({
    ...asked,
    messages: [
      { role: 'user', content: 'Bonjour' },
      { role: 'assistant', content: 'Bonjour !' },
      { role: 'user', content: 'Combien ?' },
      { role: 'assistant', content: '', toolCalls: [call('x'), call('y')] },
      { role: 'tool', toolCallId: 'x', content: '41' },
      { role: 'tool', toolCallId: 'y', content: '42' },
      { role: 'assistant', content: '', toolCalls: [call('a')], ...(echo && { echo }) },
      { role: 'tool', toolCallId: 'a', content: '43' },
    ],
  });

  it.each([
    ['DeepSeek', 'The `reasoning_content` in the thinking mode must be passed back to the API.'],
    [
      'Moonshot',
      'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
    ],
  ])('thoughts with all that was said, as %s says so', async (_, message) => {
    await start((body, count) => {
      if (count === 1) return streamed(chunk({ reasoning_content: 'Je pense.' }), calledLook);
      const isWhole = assistantsIn(body).every((said) => 'reasoning_content' in said);
      return isWhole ? answered : refusal(message);
    });
    const { echo } = await take();
    await take(mixed(echo));
    await take(mixed(echo));
    expect(provider.requests).toHaveLength(4);
    const thoughts = assistantsIn(provider.requests[3]).map((said) => said['reasoning_content']);
    // Both treat an empty text as missing.
    expect(thoughts).toEqual([' ', ' ', 'Je pense.']);
    // Other models may refuse what one wants.
    await take({ ...asked, model: 'other' });
    expect(provider.requests).toHaveLength(5);
  });

  it.each([
    [
      'Google',
      [
        {
          error: {
            code: 400,
            message:
              'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. Additional data, function call `default_api:look` , position 2.',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
    ],
    [
      'Vertex',
      {
        error: {
          message: 'Function call `look` in the `1.` content block is missing a `thought_signature`.',
        },
      },
    ],
  ])('a word in place of a signature, as %s says so', async (_, told) => {
    const isSigned = (said: JsonObject): boolean =>
      !said['tool_calls'] || 'extra_content' in ((said['tool_calls'] as JsonObject[])[0] ?? {});
    await start((body, count) => {
      if (count === 1) return streamed(calls(geminiCall('a', 'A==')));
      return assistantsIn(body).every(isSigned) ? answered : [status(400, told as unknown as JsonValue)];
    });
    await take(mixed((await take()).echo));
    const [, invented, own] = assistantsIn(provider.requests[2]).map((said) => said['tool_calls']);
    const signature = (words: string): JsonObject => ({
      extra_content: { google: { thought_signature: words } },
    });
    expect(invented).toMatchObject([{ id: 'x', ...signature('skip_thought_signature_validator') }, {}]);
    expect((invented as JsonObject[])[1]).not.toHaveProperty('extra_content');
    expect(own).toMatchObject([{ id: 'a', ...signature('A==') }]);
  });

  it.each([
    [
      'Cerebras',
      400,
      1,
      {
        message:
          "messages.1.assistant.reasoning_content: property 'messages.1.assistant.reasoning_content' is unsupported",
      },
    ],
    [
      'DeepSeek-R1',
      400,
      1,
      {
        message:
          'The reasoning_content is an intermediate result for display purposes only and will not be included in the context for inference. Please remove the reasoning_content from your message to reduce network traffic.',
      },
    ],
    [
      'Mistral',
      422,
      // Its quotation sounds like a missing field.
      2,
      {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'messages', 1, 'assistant', 'reasoning_content'],
            msg: 'Extra inputs are not permitted',
            input: 'A figure is missing.',
          },
        ],
      },
    ],
  ])('to leave out what it does not know, as %s says so', async (_, code, refusals, told) => {
    await start((body, count) => {
      if (count === 1) return streamed(chunk({ reasoning_content: 'Je pense.' }), calledLook);
      const isKnown = assistantsIn(body).every((said) => !('reasoning_content' in said));
      return isKnown ? answered : [status(code, told)];
    });
    const { echo } = await take();
    await take(mixed(echo));
    await take(mixed(echo));
    expect(provider.requests).toHaveLength(3 + refusals);
    expect(assistantsIn(provider.requests.at(-1))).toHaveLength(3);
  });

  it('and gives up where nothing pleases it', async () => {
    await start((_, count) =>
      count === 1
        ? streamed(chunk({ reasoning_content: 'Je pense.' }), calledLook)
        : refusal('reasoning_content is missing, or not supported'),
    );
    const { echo } = await take();
    await expect(take(mixed(echo))).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    expect(provider.requests).toHaveLength(4);
  });

  it('but nothing from a request that gave nothing back', async () => {
    await start(() => refusal('Unknown name "extra_content": Cannot find field.'));
    await expect(take(mixed(undefined))).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    expect(provider.requests).toHaveLength(1);
  });
});
