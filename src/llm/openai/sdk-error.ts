import { APIError } from 'openai';

import { OutboundError } from '../../platform/outbound/outbound-http.js';
import { ModelError } from '../chat-model.js';
import {
  type ProviderSettings,
  providerError,
  retryAfterMsOf,
  withoutKey,
  wordsOf,
} from './provider-error.js';
import type { Refusal } from './refusal.js';

interface AskedProvider {
  model: string;
  apiKey: string;
  settings: ProviderSettings;
}

/** What an error of the SDK, or of the socket, means. */
export function sdkError(error: unknown, { model, apiKey, settings }: AskedProvider): ModelError {
  if (error instanceof ModelError) return withoutKey(error, apiKey);
  if (error instanceof APIError && typeof error.status === 'number') {
    const retryAfterMs = retryAfterMsOf(error.headers);
    const answer = { status: error.status, body: bodyOf(error), model, retryAfterMs, settings };
    return withoutKey(providerError(answer), apiKey);
  }
  const cause = error instanceof APIError ? (error.cause ?? error) : error;
  if (cause instanceof OutboundError) {
    const why = `The provider cannot be reached: ${cause.message}`;
    return new ModelError('MODEL_UNAVAILABLE', why, false, cause.code, undefined, { cause });
  }
  const message = `The provider cannot be reached: check ${settings.baseUrl} and the network.`;
  return new ModelError('MODEL_UNAVAILABLE', message, true, wordsOfFailure(cause), undefined, { cause });
}

/** The HTTP error that a provider answered with; null: another failure. */
export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof APIError) || typeof error.status !== 'number') return null;
  return { status: error.status, words: wordsOf(bodyOf(error)).all };
}

/** The SDK puts the status before words that are no JSON. */
function bodyOf(error: APIError): unknown {
  return error.error ?? error.message.replace(/^\d{3} /, '');
}

function wordsOfFailure(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause && typeof cause.code === 'string' ? `${cause.code} ` : '';
  return `${code}${cause.message}`.slice(0, 2000);
}
