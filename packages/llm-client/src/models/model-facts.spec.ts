import type { TokenUsage } from '../chat-model.js';
import { ListedModels, shippedModels } from './listed-models.js';
import { ModelFacts } from './model-facts.js';

function listing(text: string, contextWindow: number | null = null): ModelFacts {
  return new ModelFacts({ ...shippedModels(), own: ListedModels.parse(JSON.parse(text)), contextWindow });
}

const shipped = listing('{}');

const usage: TokenUsage = {
  inputTokens: 1_000_000,
  outputTokens: 100_000,
  cachedInputTokens: 400_000,
  source: 'PROVIDER',
};

describe('ModelFacts', () => {
  it.each([
    'gpt-5-mini',
    'openai/gpt-5-mini',
    'openrouter/openai/gpt-5-mini',
    'gpt-5-mini-2025-08-07',
    'openai/gpt-5-mini-2025-08-07',
    'GPT-5-Mini',
  ])('knows %s', (model) => {
    expect(shipped.contextWindowOf(model)).toBe(272_000);
    expect(shipped.of(model).price).toEqual({ input: 0.25, cachedInput: 0.025, output: 2 });
  });

  it('knows a day without dashes, and after an at sign', () => {
    expect(shipped.contextWindowOf('claude-haiku-4-5-20251001')).toBe(200_000);
    expect(shipped.of('claude-haiku-4-5@20251001').price).toMatchObject({ input: 1, output: 5 });
  });

  it.each(['qwen3:8b', 'gpt-5-mini:free', 'gpt-5-mini-2025', 'my-gpt-5', 'constructor', ''])(
    'does not take %j for another model',
    (model) => {
      expect(shipped.of(model).price).toBeNull();
      expect(shipped.costOf(model, usage)).toBeNull();
      expect(shipped.contextWindowOf(model)).toBe(128_000);
    },
  );

  it('counts what the cache held at its own price, once', () => {
    // 0.6 M at 0.25, 0.4 M at 0.025, 0.1 M at 2.
    expect(shipped.costOf('gpt-5-mini', usage)).toBeCloseTo(0.36, 10);
    expect(shipped.costOf('gpt-5-mini', { ...usage, reasoningTokens: 90_000 })).toBeCloseTo(0.36, 10);
  });

  it('counts the cached input in full where it has no price of its own', () => {
    expect(shipped.costOf('mistral-large-latest', usage)).toBeCloseTo(0.65, 10);
  });
});

describe('what an operator lists', () => {
  it('comes before what ships, and leaves the rest as it is', () => {
    const facts = listing(
      JSON.stringify({
        'GPT-5-mini': { input: 1, output: 3 },
        'our-model': { input: 0, output: 0, contextWindow: 32_768 },
      }),
    );
    expect(facts.of('gpt-5-mini').price).toEqual({ input: 1, cachedInput: 1, output: 3 });
    expect(facts.contextWindowOf('gpt-5-mini')).toBe(272_000);
    expect(facts.contextWindowOf('our-model')).toBe(32_768);
    expect(facts.costOf('our-model', usage)).toBe(0);
    expect(facts.of('gpt-5').price).toEqual(shipped.of('gpt-5').price);
  });
});

describe('a context window that is set', () => {
  it('is that of every model', () => {
    const facts = listing('{"our-model": {"input": 0, "output": 0, "contextWindow": 4096}}', 16_000);
    for (const model of ['gpt-5', 'our-model', 'qwen3:8b']) expect(facts.contextWindowOf(model)).toBe(16_000);
  });
});

describe('what is gone by of a model', () => {
  it('is the operator’s word before the provider’s, and that before what ships', () => {
    const facts = listing('{"own": {"contextWindow": 9000}, "gpt-5": {"images": false}}').at(
      'api.example.org',
    );
    facts.tell([
      ['own', { contextWindow: 8_000, maxOutput: 700 }],
      ['gpt-5', { contextWindow: 32_768, images: true }],
      ['Told', { contextWindow: 4_096 }],
    ]);
    expect(facts.of('own')).toMatchObject({ contextWindow: 9_000, windowSource: 'SET', maxOutput: 700 });
    expect(facts.of('gpt-5')).toMatchObject({ contextWindow: 32_768, windowSource: 'TOLD', images: false });
    expect(facts.of('told')).toMatchObject({ contextWindow: 4_096, windowSource: 'TOLD', images: null });
    expect(facts.of('gpt-5-mini')).toMatchObject({ windowSource: 'KNOWN', reasons: true });
    expect(facts.of('qwen3:8b')).toMatchObject({ contextWindow: 128_000, windowSource: 'ASSUMED' });
    // A provider reports facts of its own models only.
    expect(facts.at('other.example.org').of('told').windowSource).toBe('ASSUMED');
  });

  it.each([
    ['api.openai.com', 'gpt-5.6', 'responses'],
    ['nord.openai.azure.com', 'our-deployment', 'responses'],
    ['openrouter.ai', 'openai/gpt-5.6', 'chat'],
    ['openai.azure.com.example.org', 'gpt-5.6', 'chat'],
    ['localhost:11434', 'qwen3:4b', 'chat'],
    ['api.openai.com', 'old', 'chat'],
  ])('is the protocol of its host, unless it has one of its own: at %s, %s', (host, model, api) => {
    expect(listing('{"old": {"api": "chat"}}').at(host).apiOf(model)).toBe(api);
  });

  it('counts as much as its tokenizer finds where ours finds less', () => {
    const facts = listing('{"dense": {"contextWindow": 13500, "tokenFactor": 1.35}}');
    expect(facts.contextWindowOf('dense')).toBe(10_000);
  });

  it('has efforts from least to most, in whatever order they are listed', () => {
    const facts = listing('{"m": {"reasons": true, "efforts": ["high", "none", "low"]}}');
    expect(facts.of('m').efforts).toEqual(['none', 'low', 'high']);
  });
});
