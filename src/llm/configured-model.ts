import type { Config } from '../config/config.js';
import type { ChatModel } from './chat-model.js';
import { startOfflineModel } from './offline/offline-model-server.js';
import { OpenAiChatModel } from './openai-chat-model.js';

export interface ConfiguredModel {
  model: ChatModel;
  close(): Promise<void>;
}

/** The model that `config` names, or the offline one behind the same client, over HTTP as well. */
export const configureModel = async (config: Config): Promise<ConfiguredModel> => {
  const { baseUrl, apiKey, name, firstByteTimeoutMs, idleTimeoutMs } = config.model;
  const offline =
    baseUrl === null
      ? await startOfflineModel({ tokensPerSecond: config.model.offlineTokensPerSecond })
      : null;
  const model = new OpenAiChatModel({
    baseUrl: offline?.baseUrl ?? baseUrl ?? '',
    apiKey: apiKey ?? '',
    model: name ?? 'palabre-offline',
    firstByteTimeoutMs,
    idleTimeoutMs,
  });
  return {
    model,
    close: async () => {
      model.close();
      await offline?.close();
    },
  };
};
