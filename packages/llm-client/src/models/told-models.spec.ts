import { readToldModels } from './told-models.js';

function told(...data: object[]): unknown {
  return Object.fromEntries(readToldModels(JSON.stringify({ object: 'list', data })));
}

describe('what a provider tells of its models', () => {
  it.each<[string, object, object]>([
    ['vLLM', { id: 'm', max_model_len: 32_768 }, { contextWindow: 32_768 }],
    [
      'Groq',
      { id: 'm', context_window: 131_072, max_completion_tokens: 8_192 },
      { contextWindow: 131_072, maxOutput: 8_192 },
    ],
    [
      'Mistral',
      { id: 'm', max_context_length: 40_960, capabilities: { vision: true, completion_chat: true } },
      { contextWindow: 40_960, images: true },
    ],
    [
      'LM Studio',
      { id: 'm', max_context_length: 131_072, loaded_context_length: 4_096 },
      { contextWindow: 4_096 },
    ],
    ['llama.cpp', { id: 'm', meta: { n_ctx: 8_192, n_ctx_train: 131_072 } }, { contextWindow: 8_192 }],
    [
      'OpenRouter',
      {
        id: 'm',
        context_length: 400_000,
        architecture: { input_modalities: ['text', 'image'] },
        supported_parameters: ['tools', 'reasoning'],
        top_provider: { context_length: 200_000, max_completion_tokens: 16_384 },
        pricing: { prompt: '0.00000025', completion: '0.000002', input_cache_read: '0.000000025' },
      },
      {
        contextWindow: 200_000,
        maxOutput: 16_384,
        images: true,
        reasons: true,
        structured: false,
        price: { input: 0.25, cachedInput: 0.025, output: 2 },
      },
    ],
    [
      'OpenAI, which tells nothing',
      { id: 'm', object: 'model', owned_by: 'openai' },
      { contextWindow: null, price: null },
    ],
    ['nobody: a number that cannot be', { id: 'm', max_model_len: -1 }, { contextWindow: null }],
  ])('is read as %s tells it', (_, entry, fact) => {
    expect(told(entry)).toMatchObject({ m: fact });
  });

  it('is read of Ollama’s own list of what it has loaded', () => {
    const list = { models: [{ name: 'qwen3:4b', model: 'qwen3:4b', context_length: 4_096 }] };
    expect(readToldModels(JSON.stringify(list))).toMatchObject([['qwen3:4b', { contextWindow: 4_096 }]]);
  });

  it.each(['', '<html>', '{}', '{"data": 1}', '[1, null, {"id": 5}]'])(
    'is nothing where it cannot be read: %s',
    (text) => {
      expect(readToldModels(text)).toEqual([]);
    },
  );
});
