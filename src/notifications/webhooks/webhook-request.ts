import { createHmac } from 'node:crypto';

import type { JsonObject } from '../../common/json.js';

/** A message as a webhook is sent it; `id` is the same each time that it is. */
export interface WebhookMessage {
  id: string;
  type: 'notification.added' | 'ping';
  at: Date;
  data: JsonObject;
}

const SECRET_PREFIX = 'whsec_';

/** A secret as it is told to people: Standard Webhooks' form. */
export const secretOf = (bytes: Buffer): string => SECRET_PREFIX + bytes.toString('base64');

/**
 * Headers and body by Standard Webhooks 1.0 (https://www.standardwebhooks.com): HMAC-SHA256 over id, time and body, so
 * that receivers can check them with its libraries. `sentAt` is the time of this try, which they compare with theirs.
 */
export const webhookRequest = (
  { id, type, at, data }: WebhookMessage,
  secret: string,
  sentAt: Date,
): { headers: Record<string, string>; body: string } => {
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
  const timestamp = `${Math.floor(sentAt.getTime() / 1000)}`;
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  };
};
