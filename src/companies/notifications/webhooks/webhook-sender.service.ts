import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { OutboundError, OutboundHttp } from '@palabre/outbound';
import type { JsonObject } from '@palabre/json';

import { Secrets, UnreadableSecret } from '../../../platform/secrets.js';
import type { Webhook } from './webhook.repository.js';

/** A message to a webhook. Its `id` is the same in every attempt. */
interface WebhookMessage {
  id: string;
  type: 'notification.added' | 'ping';
  at: Date;
  data: JsonObject;
}

const SECRET_PREFIX = 'whsec_';

/** The form in which Standard Webhooks shows secrets to people. */
export function formatSecret(bytes: Buffer): string {
  return SECRET_PREFIX + bytes.toString('base64');
}

/**
 * Headers and body by Standard Webhooks 1.0 (https://www.standardwebhooks.com): HMAC-SHA256 over id, time and body, so
 * that receivers can check them with its libraries. `sentAt` is the time of this attempt; receivers refuse an old one.
 */
export function webhookRequest(
  { id, type, at, data }: WebhookMessage,
  secret: string,
  sentAt: Date,
): { headers: Record<string, string>; body: string } {
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
}

const TIMEOUT_MS = 10_000;
/** Only the status of an answer is used. */
const MAX_ANSWER_BYTES = 64 * 1024;

const GONE = 410;

/** The outcome of one attempt. `status` is null without an answer, `failure` is null after a success. */
export interface WebhookAttempt {
  status: number | null;
  failure: string | null;
  /** The receiver answered 410: it wants no more messages. */
  isGone: boolean;
}

/** Sends a message to a webhook, once. Rejects only with the signal's reason. */
@Injectable()
export class WebhookSender {
  constructor(
    private readonly outbound: OutboundHttp,
    private readonly secrets: Secrets,
  ) {}

  async send(webhook: Webhook, message: WebhookMessage, signal: AbortSignal): Promise<WebhookAttempt> {
    try {
      const secret = this.secrets.decrypt(webhook.secret, secretPurpose(webhook));
      const { status } = await this.outbound.request({
        url: decryptAddress(this.secrets, webhook),
        method: 'POST',
        ...webhookRequest(message, secret, new Date()),
        requester: webhook.companyId,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_ANSWER_BYTES,
        whenTooLarge: 'truncate',
        // Only the address that an admin gave may receive it.
        maxRedirects: 0,
        signal,
      });
      const isSuccess = status >= 200 && status < 300;
      const failure = isSuccess ? null : `It answered with status ${status}.`;
      return { status, failure, isGone: status === GONE };
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof OutboundError) return failed(error.message);
      if (error instanceof UnreadableSecret) return failed(UNREADABLE);
      throw error;
    }
  }
}

const UNREADABLE = 'Its secret can no longer be read: make the webhook anew.';

function failed(failure: string): WebhookAttempt {
  return { status: null, failure, isGone: false };
}

/** Binds a webhook's encrypted secret to its row. */
export function secretPurpose({ companyId, id }: Pick<Webhook, 'companyId' | 'id'>): string {
  return `webhook ${companyId} ${id}`;
}

/** Binds a webhook's encrypted address to its row. */
export function addressPurpose({ companyId, id }: Pick<Webhook, 'companyId' | 'id'>): string {
  return `webhook address ${companyId} ${id}`;
}

/** The columns that store an address. Addresses are secrets: who knows one can often write to it. */
export function encryptAddress(
  secrets: Secrets,
  webhook: Pick<Webhook, 'companyId' | 'id'>,
  url: string,
): Pick<Webhook, 'url' | 'origin'> {
  return {
    url: secrets.encrypt(url, addressPurpose(webhook)),
    origin: new URL(url).origin,
  };
}

/** Throws UnreadableSecret. */
function decryptAddress(secrets: Secrets, webhook: Webhook): string {
  return isPlainText(webhook.url) ? webhook.url : secrets.decrypt(webhook.url, addressPurpose(webhook));
}

/** Earlier versions stored addresses without encrypting them. */
export function isPlainText(url: string): boolean {
  return /^https?:/i.test(url);
}
