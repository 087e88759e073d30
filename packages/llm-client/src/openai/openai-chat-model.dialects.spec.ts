import type { JsonObject } from '@palabre/json';

import type { ChatRequest } from '../chat-model.js';
import { OpenAiChatModel, type OpenAiChatModelOptions } from './openai-chat-model.js';
import { finish, type Script, text } from '../scripted-chat-model.double.js';
import {
  type ProviderReply,
  type ScriptedProvider,
  startScriptedProvider,
  status,
} from '../scripted-provider.double.js';

const request: ChatRequest = {
  model: null,
  messages: [{ role: 'user', content: 'Bonjour' }],
  tools: [],
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
    firstByteTimeoutMs: 20_000,
    idleTimeoutMs: 20_000,
    ...options,
  });
}

afterEach(async () => {
  model.close();
  await provider.close();
});

async function send(given: ChatRequest = request): Promise<void> {
  for await (const part of model.stream(given, new AbortController().signal)) void part;
}

describe('OpenAiChatModel sends', () => {
  it('other parameters once the provider refuses the usual ones, and from then on', async () => {
    const refused = (message: string): ProviderReply => [status(400, { error: { message, code: null } })];
    await start((body) => {
      if ('stream_options' in body) return refused('Extra inputs are not permitted: stream_options');
      if ('max_tokens' in body)
        return refused("'max_tokens' is not supported. Use 'max_completion_tokens' instead.");
      return [text('a'), finish()];
    });
    await send();
    await send();
    expect(provider.requests).toHaveLength(4);
    expect(provider.requests.at(-1)).toMatchObject({ max_completion_tokens: 100 });
    // Other models may accept what one refuses.
    await send({ ...request, model: 'other' });
    expect(provider.requests).toHaveLength(7);
  });

  describe('plain ids of calls once a provider refuses those of another one', () => {
    const strict = (ids: RegExp, message: string): Script<JsonObject, ProviderReply> => {
      const isTaken = (id: unknown): boolean => typeof id !== 'string' || ids.test(id);
      return ({ messages }) => {
        const said = messages as { tool_calls?: { id: string }[]; tool_call_id?: string }[];
        const given = said.flatMap((one) => [
          one.tool_call_id,
          ...(one.tool_calls ?? []).map(({ id }) => id),
        ]);
        return given.every(isTaken)
          ? [text('a'), finish()]
          : [status(400, { error: { message, type: 'invalid_request_error' } })];
      };
    };
    const called = (...ids: string[]): ChatRequest => ({
      ...request,
      messages: [
        { role: 'user', content: 'How much?' },
        {
          role: 'assistant',
          content: '',
          toolCalls: ids.map((id) => ({ id, name: 'look', arguments: '{}' })),
        },
        ...ids.map((toolCallId) => ({ role: 'tool', toolCallId, content: '41' }) as const),
      ],
    });

    it.each([
      [
        'Mistral',
        /^[a-zA-Z0-9]{9}$/,
        'call_9f14a0b2',
        'Tool call id was call_9f14a0b2 but must be a-z, A-Z, 0-9, with a length of 9.',
      ],
      [
        'OpenAI',
        /^.{1,40}$/,
        `chatcmpl-tool-${'0a'.repeat(16)}`,
        "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40.",
      ],
      [
        'Anthropic',
        /^[\w-]+$/,
        'functions.look:0',
        "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
      ],
      [
        'Bedrock',
        /^[\w-]+$/,
        'functions.look:0',
        "Value at 'messages.2.member.content.1.member.toolUse.toolUseId' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+",
      ],
    ])('as %s does', async (_, ids, id, message) => {
      await start(strict(ids, message));
      await send(called(id, `${id}b`, 'abcDEF123'));
      await send(called(id));
      expect(provider.requests).toHaveLength(3);
      const [, asked, ...results] = (provider.requests[1] ?? {})['messages'] as [
        unknown,
        { tool_calls: { id: string }[] },
        ...{ tool_call_id: string }[],
      ];
      const sent = asked.tool_calls.map((call) => call.id);
      expect(results.map((result) => result.tool_call_id)).toEqual(sent);
      expect(new Set(sent).size).toBe(3);
      expect(sent[2]).toBe('abcDEF123');
    });
  });

  describe('no tools forced, or none at all, where a model does not have that', () => {
    const look = { name: 'look', description: 'Looks.', parameters: { type: 'object' } };
    const withTools: ChatRequest = { ...request, tools: [look], toolChoice: 'required' };
    const refused = (code: number, message: string): ProviderReply => [
      status(code, { error: { message, type: 'invalid_request_error', param: null, code: null } }),
    ];

    it.each([
      ['DeepSeek', 400, 'deepseek-reasoner does not support this tool_choice'],
      ['DeepSeek', 400, 'Thinking mode does not support this tool_choice'],
      [
        'Alibaba',
        400,
        'The tool_choice parameter does not support being set to required or object in thinking mode',
      ],
      ['Moonshot', 400, "tool_choice 'required' is incompatible with thinking enabled"],
      ['Anthropic', 400, 'Thinking may not be enabled when tool_choice forces tool use.'],
      ['OpenRouter', 404, "No endpoints found that support the provided 'tool_choice' value."],
    ])('as %s says so: %s %s', async (_, code, message) => {
      await start((body) => ('tool_choice' in body ? refused(code, message) : [text('a'), finish()]));
      await send(withTools);
      await send({ ...withTools, toolChoice: { name: 'look' } });
      expect(provider.requests.map((body) => body['tool_choice'])).toEqual([
        'required',
        undefined,
        undefined,
      ]);
      for (const body of provider.requests) expect(body['tools']).toHaveLength(1);
      // Other models may accept what one refuses.
      await send({ ...withTools, model: 'other' });
      expect(provider.requests[3]).toMatchObject({ model: 'other', tool_choice: 'required' });
    });

    it.each([
      ['Ollama', 400, 'registry.ollama.ai/library/x does not support tools'],
      ['Groq', 400, '`tool calling` is not supported with this model'],
      ['Google', 400, 'Function calling is not enabled for models/x'],
      ['OpenRouter', 404, 'No endpoints found that support tool use.'],
    ])('as %s says so: %s %s', async (_, code, message) => {
      const toolless: string[] = [];
      await start((body) => ('tools' in body ? refused(code, message) : [text('a'), finish()]), {
        onToolless: (name) => toolless.push(name),
      });
      await send(withTools);
      await send({ ...request, tools: [look] });
      expect(provider.requests.map((body) => [body['tools']?.toString(), body['tool_choice']])).toEqual([
        ['[object Object]', 'required'],
        [undefined, undefined],
        [undefined, undefined],
      ]);
      expect(toolless).toEqual(['m']);
    });

    it.each([
      ['OpenRouter', 404, 'No endpoints found that support image input'],
      [
        'OpenAI',
        400,
        'Invalid content type. image_url is only supported by certain models; it is not supported here.',
      ],
      ['vLLM', 400, 'm is not a multimodal model'],
      ['DeepSeek', 400, 'unknown variant `image_url`, expected `text`'],
    ])('and without images, as %s says so: %s %s', async (_, code, message) => {
      await start((body) =>
        JSON.stringify(body).includes('image_url') ? refused(code, message) : [text('a'), finish()],
      );
      const files = [{ type: 'image', mediaType: 'image/png', data: 'AAAA' }] as const;
      const seen = { ...request, messages: [{ role: 'user', content: '[image a.png]', files } as const] };
      await send(seen);
      await send(seen);
      expect(provider.requests.map((body) => JSON.stringify(body['messages']))).toEqual([
        expect.stringContaining('data:image/png;base64,AAAA'),
        '[{"role":"user","content":"[image a.png]"}]',
        '[{"role":"user","content":"[image a.png]"}]',
      ]);
    });

    it.each([
      ['Bedrock', 'The toolConfig field must be defined when using toolUse and toolResult content blocks.'],
      [
        'LiteLLM',
        "litellm.UnsupportedParamsError: Anthropic doesn't support tool calling without `tools=` param specified for this model.",
      ],
      ['Anthropic', 'Requests which include `tool_use` or `tool_result` blocks must define tools'],
    ])('and tells what was found in an answer without tools, as %s wants it: %s', async (_, message) => {
      await start((body) => {
        const hasCalls = JSON.stringify(body['messages']).includes('tool_calls');
        return hasCalls && !('tools' in body) ? refused(400, message) : [text('a'), finish()];
      });
      const found: ChatRequest = {
        ...request,
        messages: [
          { role: 'user', content: 'How much?' },
          { role: 'assistant', content: 'Hm.', toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] },
          { role: 'tool', toolCallId: 'a', content: '41' },
        ],
      };
      await send(found);
      await send(found);
      await send({ ...found, tools: [look] });
      const told = [
        { role: 'user', content: 'How much?' },
        { role: 'assistant', content: 'Hm.' },
        { role: 'user', content: '41' },
      ];
      expect(provider.requests.slice(1, 3)).toMatchObject([{ messages: told }, { messages: told }]);
      expect(provider.requests[3]).toMatchObject({ tools: [{}], messages: [{}, { tool_calls: [{}] }, {}] });
      expect(provider.requests).toHaveLength(4);
    });

    it('and tells what was found without them', async () => {
      await start((body) =>
        'tools' in body ? refused(400, 'm does not support tools') : [text('a'), finish()],
      );
      await send({
        ...withTools,
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'How much?' },
          { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] },
          { role: 'tool', toolCallId: 'a', content: '41' },
          { role: 'assistant', content: 'Hm.', toolCalls: [{ id: 'b', name: 'look', arguments: '{}' }] },
          { role: 'tool', toolCallId: 'b', content: '42' },
          { role: 'tool', toolCallId: 'c', content: '43' },
        ],
      });
      expect(provider.requests[1]?.['messages']).toEqual([
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'How much?\n\n41' },
        { role: 'assistant', content: 'Hm.' },
        { role: 'user', content: '42\n\n43' },
      ]);
    });

    it('but once only where what is wrong is something else', async () => {
      await start(() => refused(400, 'Invalid schema for function look: tools[0].function.parameters'));
      await expect(send(withTools)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: false });
      expect(provider.requests).toHaveLength(1);
    });
  });

  describe('`none` for the effort beside tools, where a model thinks only without them', () => {
    const look = { name: 'look', description: 'Looks.', parameters: { type: 'object' } };
    const withTools: ChatRequest = { ...request, tools: [look] };
    const refused = (code: number, message: string, param: string | null = null): ProviderReply => [
      status(code, { error: { message, type: 'invalid_request_error', param, code: null } }),
    ];
    const useless = (model: string): string =>
      `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`;
    const efforts = () => provider.requests.map((body) => body['reasoning_effort']);

    it.each([
      ['OpenAI (gpt-5.6)', 400, useless('gpt-5.6'), 'reasoning_effort'],
      [
        'LiteLLM before OpenAI (gpt-5.6)',
        400,
        `litellm.BadRequestError: OpenAIException - ${useless('gpt-5.6')}`,
        null,
      ],
      ['a gateway', 422, 'reasoning_effort: has to be none where there are tools', null],
    ])('as %s says so: %s %s', async (_, code, message, param) => {
      await start((body) =>
        'tools' in body && body['reasoning_effort'] !== 'none'
          ? refused(code, message, param)
          : [text('a'), finish()],
      );
      await send(withTools);
      await send({ ...withTools, toolChoice: 'required' });
      expect(efforts()).toEqual([undefined, 'none', 'none']);
      expect(provider.requests[2]).toMatchObject({ tool_choice: 'required' });
      // A request without tools may think, and other models may accept what one refuses.
      await send();
      await send({ ...withTools, model: 'other' });
      expect(efforts().slice(3)).toEqual([undefined, undefined, 'none']);
      for (const body of provider.requests.slice(4)) expect(body['tools']).toHaveLength(1);
    });

    it('beside other parameters that it wants otherwise', async () => {
      await start((body) => {
        if ('max_tokens' in body)
          return refused(400, "'max_tokens' is not supported. Use 'max_completion_tokens' instead.");
        if (!('reasoning_effort' in body)) return refused(400, useless('gpt-5.6-luna'), 'reasoning_effort');
        return [text('a'), finish()];
      });
      await send(withTools);
      expect(provider.requests).toHaveLength(3);
      expect(provider.requests[2]).toMatchObject({ max_completion_tokens: 100, reasoning_effort: 'none' });
    });

    it('and no longer where that is refused as well', async () => {
      const levels = "Unsupported value: 'reasoning_effort' does not support 'none' with this model.";
      let isMended = false;
      await start((body) => {
        if (isMended) return [text('a'), finish()];
        return 'reasoning_effort' in body ? refused(400, levels) : refused(400, useless('gpt-5.6'));
      });
      const failed = { code: 'MODEL_UNAVAILABLE', retryable: false, status: 400 };
      await expect(send(withTools)).rejects.toMatchObject(failed);
      expect(efforts()).toEqual([undefined, 'none']);
      await expect(send(withTools)).rejects.toMatchObject(failed);
      expect(efforts()).toEqual([undefined, 'none', undefined, 'none']);
      isMended = true;
      await send(withTools);
      expect(efforts().slice(4)).toEqual([undefined]);
    });

    it('but once only where what is wrong is something else, or where there are no tools', async () => {
      await start(({ tools }) =>
        tools ? refused(400, 'messages: field required') : refused(400, useless('gpt-5.6')),
      );
      await expect(send(withTools)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
      await expect(send()).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
      expect(provider.requests).toHaveLength(2);
    });

    it('but not where it fails otherwise while it names the effort', async () => {
      await start(() => refused(429, useless('gpt-5.6')));
      await expect(send(withTools)).rejects.toMatchObject({ retryable: true });
      expect(provider.requests).toHaveLength(1);
    });
  });

  it('a request once only where the value of max_tokens is wrong', async () => {
    const message = 'max_tokens is too large: 100. This model gives at most 50 completion tokens.';
    await start(() => [status(400, { error: { message } })]);
    await expect(send()).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: false });
    expect(provider.requests).toHaveLength(1);
  });
});
