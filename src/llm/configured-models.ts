import type { OfflineModel } from '@palabre/offline-model';
import { ModelProvider, O200kTokenizer, type ProviderConnection, type Tokenizer } from '@palabre/llm-client';
import { ConnectionGuard } from '@palabre/outbound';

import type { Config } from '../common/config/config.js';
import type { Logger } from '../common/process/logger.js';
import { traceHeaders } from '../platform/tracing/span.js';
import { readModelFacts } from './models-file.js';
import { modelSettings } from './setting-names.js';
import { LOOK_MS, ModelProviders } from './model-providers.js';

interface ConfiguredModels {
  models: ModelProviders;
  tokenizer: Tokenizer;
  close(): Promise<void>;
}

/**
 * The models of `config`, or the offline model behind the same HTTP client. Throws ConfigError for an invalid models
 * file.
 */
export async function configureModels(config: Config, logger: Logger): Promise<ConfiguredModels> {
  const { model: settings } = config;
  const { baseUrl, apiKey, fallback, api } = settings;
  const known = readModelFacts(settings);
  const offline = baseUrl === null ? await startOfflineModel(settings.offlineTokensPerSecond) : null;
  const name = settings.name ?? 'palabre-offline';
  const guard = new ConnectionGuard(config.outbound.allow);
  const open = (connection: ProviderConnection, guarded: boolean): ModelProvider =>
    new ModelProvider(
      { ...connection, headersOf: traceHeaders, ...(guarded && { guard }) },
      settings,
      known,
      logger,
    );
  const openOwn = (own: Pick<ProviderConnection, 'baseUrl' | 'apiKey' | 'model' | 'api'>): ModelProvider =>
    open({ ...own, prefix: '', settings: modelSettings }, false);
  const usual = openOwn({ baseUrl: offline?.baseUrl ?? baseUrl ?? '', apiKey, model: name, api });
  // The same address and key are one provider with one limit.
  const isSame = fallback === null || (fallback.baseUrl === baseUrl && fallback.apiKey === apiKey);
  // LLM_API is about LLM_BASE_URL.
  const otherApi = fallback?.baseUrl === baseUrl ? api : 'auto';
  const other = isSame ? usual : openOwn({ ...fallback, model: fallback.name, api: otherApi });
  const models = new ModelProviders(
    { provider: usual, model: name },
    fallback && { provider: other, model: fallback.name },
    open,
  );
  if (offline === null) lookAtAll(models);
  else usual.facts.tell([[name, { images: false }]]);
  return {
    models,
    tokenizer: new O200kTokenizer(),
    close: async () => {
      models.close();
      await offline?.close();
    },
  };
}

/** Imported here, because its dictionaries are only needed without another model. */
async function startOfflineModel(tokensPerSecond: number): Promise<OfflineModel> {
  const { start } = await import('@palabre/offline-model');
  return start({ tokensPerSecond });
}

/** Once at the start, without delaying it. */
function lookAtAll({ usual, fallback }: ModelProviders): void {
  for (const { provider, model } of fallback ? [usual, fallback] : [usual])
    void provider.look(AbortSignal.timeout(LOOK_MS)).then(() => provider.warnOfAssumption(model));
}
