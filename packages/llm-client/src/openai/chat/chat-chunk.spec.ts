import { readChatChunk } from './chat-chunk.js';

function usageOf(usage: object) {
  return readChatChunk({ choices: [], usage }, { useMessage: false }).usage;
}

describe('what a total has beyond prompt and completion', () => {
  const counted = { prompt_tokens: 20, completion_tokens: 3 };

  it('is thoughts, where nothing tells otherwise', () => {
    const thought = { inputTokens: 20, outputTokens: 103, reasoningTokens: 100 };
    expect(usageOf({ ...counted, total_tokens: 123 })).toMatchObject(thought);
    // Cached tokens are part of the prompt, as with most providers.
    expect(
      usageOf({ ...counted, total_tokens: 123, prompt_tokens_details: { cached_tokens: 16 } }),
    ).toMatchObject({ ...thought, cachedInputTokens: 16 });
    expect(
      usageOf({ ...counted, total_tokens: 123, completion_tokens_details: { audio_tokens: 0 } }),
    ).toMatchObject(thought);
  });

  it.each([
    ['as much as was cached', { total_tokens: 39, prompt_tokens_details: { cached_tokens: 16 } }],
    ['beside more cached than asked', { total_tokens: 123, prompt_tokens_details: { cached_tokens: 21 } }],
    ['beside what was cached anew', { total_tokens: 123, prompt_tokens_details: { cache_write_tokens: 9 } }],
    [
      'beside what was cached anew, as Anthropic has it',
      { total_tokens: 123, cache_creation_input_tokens: 9 },
    ],
    ['beside citations', { total_tokens: 123, citation_tokens: 90 }],
    [
      'where there is no reasoning',
      { total_tokens: 123, completion_tokens_details: { reasoning_tokens: 0 } },
    ],
    ['unlike the reasoning', { total_tokens: 123, completion_tokens_details: { reasoning_tokens: 2 } }],
    ['without a prompt', { total_tokens: 123, prompt_tokens: null }],
    ['without a completion', { total_tokens: 123, completion_tokens: null }],
    ['nothing: it has less', { total_tokens: 20 }],
  ])('is not counted as such %s', (_, told) => {
    const usage = { ...counted, ...told };
    expect(usageOf(usage)?.outputTokens).toBe(usage.completion_tokens ?? 0);
  });
});
