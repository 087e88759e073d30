import type { ChatPart, ChatRequest } from '@palabre/llm-client';
import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import { startScriptedProvider, status } from '@palabre/llm-client/scripted-provider.double.js';

import { createLogger } from '../common/process/logger.js';
import { readConfig } from '../common/config/read-config.js';
import { configureModels } from './configured-models.js';
import type { ModelProviders } from './model-providers.js';

function requestFor(model: string | null): ChatRequest {
  return {
    model,
    messages: [{ role: 'user', content: 'Bonjour' }],
    tools: [],
    maxOutputTokens: 10,
  };
}

const logger = createLogger({ level: 'silent', pretty: false });

async function textOf(models: ModelProviders, name: string | null): Promise<string> {
  const model = models.installed(name ?? models.usual.model);
  const parts: ChatPart[] = [];
  for await (const part of model.stream(requestFor(name), new AbortController().signal)) parts.push(part);
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

describe('configureModels', () => {
  it('sends requests for the fallback to its own provider, with its own key, and all others to the usual one', async () => {
    await using one = await startScriptedProvider(() => [text('one'), finish()]);
    await using two = await startScriptedProvider(() => [text('two'), finish()]);
    const config = readConfig({
      LLM_BASE_URL: one.baseUrl,
      LLM_API_KEY: 'key-one',
      LLM_MODEL: 'm',
      LLM_FALLBACK_MODEL: 'f',
      LLM_FALLBACK_BASE_URL: two.baseUrl,
      LLM_FALLBACK_API_KEY: 'key-two',
    });
    const { models, close } = await configureModels(config, logger);
    expect(await textOf(models, null)).toBe('one');
    expect(await textOf(models, 'an-assistants-own')).toBe('one');
    expect(await textOf(models, 'f')).toBe('two');
    expect(one.requests.map((body) => body.model)).toEqual(['m', 'an-assistants-own']);
    expect(two.requests.map((body) => body.model)).toEqual(['f']);
    expect(one.headers.map(({ authorization }) => authorization)).toEqual([
      'Bearer key-one',
      'Bearer key-one',
    ]);
    expect(two.headers.map(({ authorization }) => authorization)).toEqual(['Bearer key-two']);
    await close();
  });

  it('sends them to the same one where no other is named, and tells how it stands with both models', async () => {
    await using provider = await startScriptedProvider(({ model }) =>
      model === 'm' ? [status(503)] : [text('fallback'), finish()],
    );
    const config = readConfig({
      LLM_BASE_URL: provider.baseUrl,
      LLM_MODEL: 'm',
      LLM_FALLBACK_MODEL: 'f',
    });
    const { models, close } = await configureModels(config, logger);
    for (let i = 0; i < 5; i++) await expect(textOf(models, null)).rejects.toMatchObject({ retryable: true });
    expect(await textOf(models, 'f')).toBe('fallback');
    expect(models.circuits()).toEqual([
      { model: 'm', circuit: 'open', key: 'accepted' },
      { model: 'f', circuit: 'closed', key: 'accepted' },
    ]);
    await expect(textOf(models, 'm')).rejects.toMatchObject({ detail: 'circuit open' });
    expect(provider.requests).toHaveLength(6);
    await close();
  });

  it('tells whether the key is taken, by a look at the start and by every call after it', async () => {
    let isTaken = false;
    await using provider = await startScriptedProvider(() =>
      isTaken ? [text('Bonjour'), finish()] : [status(401)],
    );
    provider.modelsStatus = 401;
    const warned = Promise.withResolvers<string>();
    const config = readConfig({ LLM_BASE_URL: provider.baseUrl, LLM_MODEL: 'm', LLM_API_KEY: 'key-one' });
    const { models, close } = await configureModels(config, {
      ...logger,
      warn: (_facts: unknown, words: string) => warned.resolve(words),
    } as typeof logger);
    const key = () => models.circuits().map((one) => one.key);
    expect(await warned.promise).toContain('LLM_API_KEY');
    expect(key()).toEqual(['refused']);
    isTaken = true;
    expect(await textOf(models, null)).toBe('Bonjour');
    expect(key()).toEqual(['accepted']);
    isTaken = false;
    await expect(textOf(models, null)).rejects.toMatchObject({ status: 401 });
    expect(key()).toEqual(['refused']);
    await close();
  });

  it('is the offline model where there is no address', async () => {
    const { models, close } = await configureModels(
      readConfig({ OFFLINE_MODEL_TOKENS_PER_SECOND: '0', LLM_CONTEXT_WINDOW: '16000' }),
      logger,
    );
    expect(await textOf(models, null)).not.toBe('');
    expect(models.circuits()).toEqual([{ model: 'palabre-offline', circuit: 'closed', key: 'accepted' }]);
    expect(models.facts.contextWindowOf('palabre-offline')).toBe(16_000);
    await close();
  });
});
