import { resolve } from 'node:path';
import { z } from 'zod';

import {
  decimalNumber,
  type Environment,
  httpUrl,
  optionalText,
  optionalWholeNumber,
  wholeNumber,
} from './environment.js';

const modelProtocols = ['auto', 'chat', 'responses'] as const;
type ModelProtocol = (typeof modelProtocols)[number];

export interface ModelConfig {
  /** The URL of an OpenAI-compatible API; null: the offline model. */
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  /** Never null when `baseUrl` is set. */
  readonly name: string | null;
  readonly firstByteTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** Used while the model cannot be reached; null: none. Never set without `baseUrl`. */
  readonly fallback: FallbackModelConfig | null;
  /** Calls to one provider at the same time, in one process. */
  readonly maxConcurrent: number;
  /** Overrides the context window of every model; null: the known one of each. */
  readonly contextWindowTokens: number | null;
  /** Absolute path of a JSON file with what is known of models; null: only what ships. */
  readonly modelsFile: string | null;
  /** The protocol that models are asked in; `auto`: by what is known, and what providers refuse. */
  readonly api: ModelProtocol;
  /** 0: without delay. */
  readonly offlineTokensPerSecond: number;
}

interface FallbackModelConfig {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string | null;
}

export const modelVariables = {
  LLM_BASE_URL: httpUrl(),
  LLM_API_KEY: optionalText(10_000),
  LLM_MODEL: optionalText(),
  LLM_FALLBACK_MODEL: optionalText(),
  LLM_FALLBACK_BASE_URL: httpUrl(),
  LLM_FALLBACK_API_KEY: optionalText(10_000),
  LLM_MAX_CONCURRENT: wholeNumber(1, 100_000, 64),
  LLM_CONTEXT_WINDOW: optionalWholeNumber(1000, 100_000_000),
  MODELS_FILE: optionalText().transform((path) => path && resolve(path)),
  LLM_API: z
    .enum(modelProtocols, `one of ${modelProtocols.join(', ')}`)
    .optional()
    .default('auto'),
  LLM_FIRST_BYTE_TIMEOUT_SECONDS: decimalNumber(0.05, 3600, 60),
  LLM_IDLE_TIMEOUT_SECONDS: decimalNumber(0.05, 3600, 60),
  OFFLINE_MODEL_TOKENS_PER_SECOND: decimalNumber(0, 100_000, 150),
};

const Variables = z.object(modelVariables);
type Variables = z.infer<typeof Variables>;

export function checkModel(given: Environment): string[] {
  if (given.LLM_PRICES_FILE)
    return ['MODELS_FILE must be set in place of LLM_PRICES_FILE, with the same file.'];
  if (given.LLM_BASE_URL) {
    if (given.LLM_MODEL) return [];
    return ['LLM_MODEL must be the name of a model that LLM_BASE_URL serves, as LLM_BASE_URL is set.'];
  }
  // Without LLM_BASE_URL the offline model would answer, which nobody who sets these wants.
  const owner = ['LLM_MODEL', 'LLM_API_KEY'].find((name) => given[name]);
  return owner
    ? [`LLM_BASE_URL must be set, as ${owner} is set: to https://api.openai.com/v1, for one.`]
    : [];
}

export function checkFallback(given: Environment): string[] {
  const owner = ['LLM_FALLBACK_BASE_URL', 'LLM_FALLBACK_API_KEY'].find((name) => given[name]);
  if (owner && !given.LLM_FALLBACK_MODEL) return [`LLM_FALLBACK_MODEL must be set, as ${owner} is set.`];
  if (!given.LLM_FALLBACK_MODEL) return [];
  // The provider of a request is found by the name of the model.
  const isSame = given.LLM_FALLBACK_MODEL === given.LLM_MODEL;
  if (isSame) return ['LLM_FALLBACK_MODEL must be another model than LLM_MODEL.'];
  return given.LLM_BASE_URL ? [] : ['LLM_BASE_URL must be set, as LLM_FALLBACK_MODEL is set.'];
}

export function toModelConfig(variables: Variables): ModelConfig {
  return {
    baseUrl: variables.LLM_BASE_URL,
    apiKey: variables.LLM_API_KEY,
    name: variables.LLM_MODEL,
    firstByteTimeoutMs: Math.round(variables.LLM_FIRST_BYTE_TIMEOUT_SECONDS * 1000),
    idleTimeoutMs: Math.round(variables.LLM_IDLE_TIMEOUT_SECONDS * 1000),
    fallback: fallbackOf(variables),
    maxConcurrent: variables.LLM_MAX_CONCURRENT,
    contextWindowTokens: variables.LLM_CONTEXT_WINDOW,
    modelsFile: variables.MODELS_FILE,
    api: variables.LLM_API,
    offlineTokensPerSecond: variables.OFFLINE_MODEL_TOKENS_PER_SECOND,
  };
}

function fallbackOf(variables: Variables): FallbackModelConfig | null {
  const { LLM_FALLBACK_MODEL: name, LLM_FALLBACK_BASE_URL: otherUrl, LLM_BASE_URL: sameUrl } = variables;
  const baseUrl = otherUrl ?? sameUrl;
  if (name === null || baseUrl === null) return null;
  // One provider's key is not sent to another.
  const inherited = baseUrl === sameUrl ? variables.LLM_API_KEY : null;
  return { name, baseUrl, apiKey: variables.LLM_FALLBACK_API_KEY ?? inherited };
}
