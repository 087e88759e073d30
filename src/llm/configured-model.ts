import { start as startOfflineModel } from '@palabre/offline-model';

import type { Config, ModelConfig } from '../common/config/config.js';
import type { Logger } from '../common/process/logger.js';
import { ChatModel, type ChatPart, type ChatRequest } from './chat-model.js';
import { type ModelFacts, readModelFacts } from './model-facts.js';
import { GuardedChatModel } from './guard/guarded-chat-model.js';
import type { ModelCircuits } from './guard/model-circuits.js';
import { OpenAiChatModel } from './openai/openai-chat-model.js';
import { O200kTokenizer } from './o200k-tokenizer.js';
import type { Tokenizer } from './tokenizer.js';

interface ConfiguredModel {
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
export async function configureModel(config: Config, logger: Logger): Promise<ConfiguredModel> {
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
}

const KEY_CHECK_MS = 10_000;

interface Provider {
  model: GuardedChatModel;
  close(): void;
}

function providerOpener({ firstByteTimeoutMs, idleTimeoutMs, maxConcurrent }: ModelConfig, logger: Logger) {
  return ({ baseUrl, apiKey, name }: { baseUrl: string; apiKey: string | null; name: string }): Provider => {
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
    const onKeyRefused = (): void =>
      logger.warn(
        { provider: hostOf(baseUrl), model: name },
        'the provider refuses the key: check LLM_API_KEY',
      );
    const model = new GuardedChatModel(client, { model: name, maxConcurrent, onKeyRefused });
    const closing = new AbortController();
    if (apiKey !== null) void lookAtKey(client, model, closing.signal);
    return {
      model,
      close: () => {
        closing.abort();
        client.close();
      },
    };
  };
}

/** Checks the key once at the start, without delaying it; later calls report refusals. */
async function lookAtKey(
  client: OpenAiChatModel,
  { key }: GuardedChatModel,
  closing: AbortSignal,
): Promise<void> {
  try {
    await client.listModels(AbortSignal.any([closing, AbortSignal.timeout(KEY_CHECK_MS)]));
    key.accepted();
  } catch (error) {
    key.failed(error);
  }
}

/** An address may hold a secret; its host does not. */
function hostOf(address: string): string {
  return URL.parse(address)?.host ?? '';
}

/** Sends a request to the provider of the model that it names; those that name none, or no other, to the usual one. */
class ModelRouter extends ChatModel {
  constructor(
    private readonly usual: ChatModel,
    private readonly others: ReadonlyMap<string, ChatModel>,
  ) {
    super();
  }

  override stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatPart> {
    const { model } = request;
    const provider = (model === null ? undefined : this.others.get(model)) ?? this.usual;
    return provider.stream(request, signal);
  }
}
