import { OpenAI } from 'openai';

import type { HttpTransport } from './http-transport.js';

/** The SDK has its own clock for the request; ours is the one in force. */
const noTimeoutMs = 2 ** 31 - 1;

/** The SDK's client of one provider: it sends, and leaves timeouts, tries and logs to who calls it. */
export const providerClient = (
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  { fetch }: HttpTransport,
): OpenAI =>
  new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey || 'none',
    // Else the SDK takes them from the environment, which one function of ours reads.
    adminAPIKey: null,
    organization: null,
    project: null,
    logLevel: 'off',
    maxRetries: 0,
    timeout: noTimeoutMs,
    fetch,
  });
