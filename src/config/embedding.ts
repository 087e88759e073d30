import { type Environment, httpUrl, optionalText, optionalWholeNumber } from './environment.js';

/** What texts are turned into vectors with, for search by meaning. */
export interface EmbeddingConfig {
  /** Of an OpenAI-compatible API. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
  /** How long the vectors shall be; null: as the model makes them. */
  readonly dimensions: number | null;
}

/** The variables of the embedder. */
export const embeddingVariables = {
  EMBEDDING_BASE_URL: httpUrl(),
  EMBEDDING_API_KEY: optionalText(10_000),
  EMBEDDING_MODEL: optionalText(200),
  // As long as a vector can be that is stored.
  EMBEDDING_DIMENSIONS: optionalWholeNumber(2, 16_000),
};

export const checkEmbedding = (given: Environment): string[] => {
  const owner = ['EMBEDDING_BASE_URL', 'EMBEDDING_API_KEY', 'EMBEDDING_DIMENSIONS'].find(
    (name) => given[name],
  );
  if (owner && !given.EMBEDDING_MODEL) return [`EMBEDDING_MODEL must be set, as ${owner} is set.`];
  const isNowhere = given.EMBEDDING_MODEL && !given.EMBEDDING_BASE_URL && !given.LLM_BASE_URL;
  return isNowhere ? ['EMBEDDING_BASE_URL (or LLM_BASE_URL) must be set, as EMBEDDING_MODEL is set.'] : [];
};

type Texts = 'EMBEDDING_BASE_URL' | 'EMBEDDING_API_KEY' | 'EMBEDDING_MODEL' | 'LLM_BASE_URL' | 'LLM_API_KEY';
type Given = Record<Texts, string | null> & Record<'EMBEDDING_DIMENSIONS', number | null>;

export const toEmbeddingConfig = (given: Given): EmbeddingConfig | null => {
  const { EMBEDDING_MODEL: model, EMBEDDING_BASE_URL: otherUrl, LLM_BASE_URL: sameUrl } = given;
  const baseUrl = otherUrl ?? sameUrl;
  if (model === null || baseUrl === null) return null;
  // One provider's key is not shown to another one.
  const inherited = baseUrl === sameUrl ? given.LLM_API_KEY : null;
  const apiKey = given.EMBEDDING_API_KEY ?? inherited;
  return { baseUrl, apiKey, model, dimensions: given.EMBEDDING_DIMENSIONS };
};
