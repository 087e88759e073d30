import type { Logger } from '../common/process/logger.js';
import type { Config, ModelConfig } from '../config/config.js';
import type { ChatModel } from './chat-model.js';
import { GuardedChatModel } from './guard/guarded-chat-model.js';
import type { ModelCircuits } from './guard/model-circuits.js';
import type { ModelFacts } from './facts/model-facts.js';
import { ModelRouter } from './model-router.js';
import { O200kTokenizer } from './tokens/o200k-tokenizer.js';
import { startOfflineModel } from './offline/server/offline-model-server.js';
import { OpenAiChatModel } from './openai-chat-model.js';
import { readModelFacts } from './facts/read-model-facts.js';
import type { Tokenizer } from './tokens/tokenizer.js';

export interface ConfiguredModel {
  model: ChatModel;
  modelFacts: ModelFacts;
  modelCircuits: ModelCircuits;
  tokenizer: Tokenizer;
  close(): Promise<void>;
}

/**
 * The models that `config` names, or the offline one behind the same client, over HTTP as well. Throws ConfigError
 * where the file with prices is wrong.
 */
export const configureModel = async (config: Config, logger: Logger): Promise<ConfiguredModel> => {
  const { model: settings } = config;
  const { baseUrl, apiKey, fallback } = settings;
  const modelFacts = readModelFacts(settings);
  const offline =
    baseUrl === null ? await startOfflineModel({ tokensPerSecond: settings.offlineTokensPerSecond }) : null;
  const name = settings.name ?? 'palabre-offline';
  const openProvider = providerOpener(settings, logger);
  const usual = openProvider({ baseUrl: offline?.baseUrl ?? baseUrl ?? '', apiKey, name });
  // Behind one address and key there is one provider, which has one limit.
  const isSame = fallback === null || (fallback.baseUrl === baseUrl && fallback.apiKey === apiKey);
  const other = isSame ? null : openProvider(fallback);
  const routes = other === null || fallback === null ? [] : ([[fallback.name, other.model]] as const);
  return {
    model: new ModelRouter(usual.model, new Map(routes)),
    modelFacts,
    modelCircuits: {
      list: () => [
        usual.model.circuitOf(name),
        ...(fallback === null ? [] : [(other ?? usual).model.circuitOf(fallback.name)]),
      ],
    },
    tokenizer: new O200kTokenizer(),
    close: async () => {
      usual.close();
      other?.close();
      await offline?.close();
    },
  };
};

interface Provider {
  model: GuardedChatModel;
  close(): void;
}

const providerOpener =
  ({ firstByteTimeoutMs, idleTimeoutMs, maxConcurrent }: ModelConfig, logger: Logger) =>
  ({ baseUrl, apiKey, name }: { baseUrl: string; apiKey: string | null; name: string }): Provider => {
    const client = new OpenAiChatModel({
      baseUrl,
      apiKey: apiKey ?? '',
      model: name,
      firstByteTimeoutMs,
      idleTimeoutMs,
      onToolless: (model) =>
        logger.warn(
          { model },
          'the model does not support tools: it is asked without them, and uses no skills',
        ),
      onLongEcho: (model, bytes) =>
        logger.warn({ model, bytes }, 'what the model may want back of a step is too long: it is not kept'),
    });
    return {
      model: new GuardedChatModel(client, { model: name, maxConcurrent }),
      close: () => client.close(),
    };
  };
