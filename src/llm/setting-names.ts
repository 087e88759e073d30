import type { EmbeddingSettings, ModelSettings } from '@palabre/llm-client';

/** The names of settings in errors about the model. */
export const modelSettings: ModelSettings = {
  baseUrl: 'LLM_BASE_URL',
  key: 'LLM_API_KEY',
  model: 'LLM_MODEL',
  window: 'LLM_CONTEXT_WINDOW or MODELS_FILE',
  tooLong: 'The conversation is longer than the model can take: check LLM_CONTEXT_WINDOW.',
};

export const embeddingSettings: EmbeddingSettings = {
  baseUrl: 'EMBEDDING_BASE_URL',
  key: 'EMBEDDING_API_KEY',
  model: 'EMBEDDING_MODEL',
  tooLong: 'The texts are longer than the model can take.',
  dimensions: 'EMBEDDING_DIMENSIONS',
};
