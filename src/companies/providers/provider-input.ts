import { z } from 'zod';
import { OutboundError, readUrl } from '@palabre/outbound';

import { providerApis } from './provider.entity.js';

const PROVIDER_KEY = /^[a-z][a-z0-9-]{0,39}$/;
export const MAX_PROVIDERS = 20;
export const MAX_MODELS = 200;
export const MAX_MODEL_NAME_CHARACTERS = 200;

/** Sent to the provider unchanged, so bad characters are refused, not removed. */
export const modelName = z
  .string()
  .regex(/^\P{C}*$/u, 'This holds characters that are not text.')
  .trim()
  .min(1, 'This must not be empty.')
  .max(MAX_MODEL_NAME_CHARACTERS, `This must be at most ${MAX_MODEL_NAME_CHARACTERS} characters long.`);

/** An admin's input for a provider. A missing `apiKey` stays as it is. Null: no key. */
export const ProviderInput = z.object({
  key: z
    .string()
    .regex(PROVIDER_KEY, 'A key is 1 to 40 lowercase letters, digits and hyphens, and begins with a letter.'),
  baseUrl: z
    .string()
    .trim()
    .max(2_000, 'This must be at most 2000 characters long.')
    .superRefine(checkUrl)
    .transform((url) => url.replace(/\/+$/, '')),
  apiKey: z
    .string()
    .trim()
    .min(4, 'This must be at least 4 characters long.')
    .max(8_000, 'This must be at most 8000 characters long.')
    .regex(/^[\x21-\x7e]*$/, 'This must be plain ASCII without spaces.')
    .nullish(),
  api: z
    .enum(providerApis)
    .nullish()
    .transform((api) => api ?? 'AUTO'),
  models: z
    .array(modelName)
    .max(MAX_MODELS, `These must be at most ${MAX_MODELS}.`)
    .nullish()
    .transform((models) => [...new Set(models ?? [])]),
});
export type ProviderInput = z.output<typeof ProviderInput>;

/** Addresses are shown and audited, so they must not have secrets. */
function checkUrl(text: string, context: z.core.$RefinementCtx<string>): void {
  try {
    const { search, hash } = readUrl(text);
    if (search === '' && hash === '') return;
    context.addIssue({ code: 'custom', message: 'This must have no ? and no #.', input: text });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    context.addIssue({ code: 'custom', message: error.message, input: text });
  }
}
