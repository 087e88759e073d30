import { ModelError } from '../chat-model.js';
import { isBlocked } from './http-transport.js';
import {
  providerError,
  ProviderRefusal,
  type ProviderSettings,
  withoutKey,
  wordsOf,
} from './provider-error.js';
import type { Refusal } from './refusal.js';

interface AskedProvider {
  model: string;
  apiKey: string;
  settings: ProviderSettings;
}

/** Translates the error of a call, whether the provider answered with it or the socket broke. */
export function callError(error: unknown, { model, apiKey, settings }: AskedProvider): ModelError {
  if (error instanceof ModelError) return withoutKey(error, apiKey);
  if (error instanceof ProviderRefusal) return withoutKey(providerError(error, model, settings), apiKey);
  if (isBlocked(error)) {
    const why = `The provider cannot be reached: ${error.message}`;
    return new ModelError('MODEL_UNAVAILABLE', why, false, error.code, undefined, {
      fault: 'ADDRESS',
      cause: error,
    });
  }
  const message = `The provider cannot be reached: check ${settings.baseUrl} and the network.`;
  const words = wordsOfFailure(error);
  return new ModelError('MODEL_UNAVAILABLE', message, true, words, undefined, {
    fault: 'ADDRESS',
    cause: error,
  });
}

/** The provider's HTTP error. Null: another failure. */
export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof ProviderRefusal) || error.status === null) return null;
  return { status: error.status, words: wordsOf(error.body).all };
}

function wordsOfFailure(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause && typeof cause.code === 'string' ? `${cause.code} ` : '';
  return `${code}${cause.message}`.slice(0, 2000);
}
