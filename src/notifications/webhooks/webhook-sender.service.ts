import { Injectable } from '@nestjs/common';

import { OutboundError, OutboundHttp } from '../../outbound/outbound-http.js';
import { Secrets, UnreadableSecret } from '../../secrets/secrets.js';
import type { Webhook } from './webhook.entity.js';
import { type WebhookMessage, webhookRequest } from './webhook-request.js';

const TIMEOUT_MS = 10_000;
/** Nothing of an answer matters but its status. */
const MOST_ANSWER_BYTES = 64 * 1024;

const GONE = 410;

/** How a try came out. `status`: null where there was no answer; `failure`: null where it was taken. */
export interface WebhookTry {
  status: number | null;
  failure: string | null;
  /** The receiver wants no more. */
  isGone: boolean;
}

/** Sends what webhooks are told, once; never rejects but with the signal's reason. */
@Injectable()
export class WebhookSender {
  constructor(
    private readonly outbound: OutboundHttp,
    private readonly secrets: Secrets,
  ) {}

  async send(webhook: Webhook, message: WebhookMessage, signal: AbortSignal): Promise<WebhookTry> {
    try {
      const secret = this.secrets.decrypt(webhook.secret, aboutWebhook(webhook));
      const { status } = await this.outbound.request({
        url: webhook.url,
        method: 'POST',
        ...webhookRequest(message, secret, new Date()),
        timeoutMs: TIMEOUT_MS,
        maxBytes: MOST_ANSWER_BYTES,
        whenTooLarge: 'truncate',
        // Another address than the one that an admin gave is not told.
        maxRedirects: 0,
        signal,
      });
      const isTaken = status >= 200 && status < 300;
      const failure = isTaken ? null : `It answered with status ${status}.`;
      return { status, failure, isGone: status === GONE };
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof OutboundError) return { status: null, failure: error.message, isGone: false };
      if (error instanceof UnreadableSecret) {
        const failure = 'Its secret can no longer be read: make the webhook anew.';
        return { status: null, failure, isGone: false };
      }
      throw error;
    }
  }
}

/** What a webhook's secret is encrypted for. */
export const aboutWebhook = ({ companyId, id }: Pick<Webhook, 'companyId' | 'id'>): string =>
  `webhook ${companyId} ${id}`;
