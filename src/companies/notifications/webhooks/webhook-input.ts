import { z } from 'zod';

import { notificationKinds } from '../notification.entity.js';
import { isWebAddress } from '../../../common/check-input.js';

export const MAX_WEBHOOKS = 20;
export const MAX_ADDRESS_CHARACTERS = 2_000;
const MAX_KINDS = 100;

export const NewWebhook = z.object({
  url: z
    .string()
    .trim()
    .max(MAX_ADDRESS_CHARACTERS, `This must be at most ${MAX_ADDRESS_CHARACTERS} characters long.`)
    .refine(
      isWebAddress,
      'This must be an address that begins with https:// or http://, without a password.',
    ),
  kinds: z
    .array(z.enum(notificationKinds, `This must be one of ${notificationKinds.join(', ')}.`))
    .min(1, 'Leave it out for all kinds.')
    .max(MAX_KINDS, `These must be at most ${MAX_KINDS}.`)
    .nullish()
    .transform((kinds) => (kinds ? [...new Set(kinds)] : null)),
});
