import { type Embedder, OpenAiEmbedder, type Tokenizer } from '@palabre/llm-client';

import type { EmbeddingConfig } from '../common/config/config.js';
import { embeddingSettings } from './setting-names.js';

interface ConfiguredEmbedder {
  /** Null: none is configured. */
  embedder: Embedder | null;
  close(): Promise<void>;
}

/** The embedder of `config`. It is not called yet, so an unavailable one does not block the start. */
export function configureEmbedder(config: EmbeddingConfig | null, tokenizer: Tokenizer): ConfiguredEmbedder {
  if (config === null) return { embedder: null, close: async () => undefined };
  const { baseUrl, apiKey, model, dimensions } = config;
  const options = { baseUrl, apiKey: apiKey ?? '', model, dimensions, settings: embeddingSettings };
  const embedder = new OpenAiEmbedder(options, tokenizer);
  return { embedder, close: async () => embedder.close() };
}
