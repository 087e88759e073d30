import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { z } from 'zod';

import type { Viewer } from '../../auth/viewer.js';
import { checkInput } from '../../common/check-input.js';
import { DomainError, notFound } from '../../common/errors/domain-error.js';
import { isId, newId } from '../../common/ids.js';
import { AuditService } from '../../companies/audit/audit.service.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { Secrets } from '../../secrets/secrets.js';
import { notificationKinds } from '../notification.entity.js';
import { secretOf } from './webhook-request.js';
import type { Webhook } from './webhook.entity.js';
import { WebhookRepository } from './webhook.repository.js';
import { aboutWebhook, WebhookSender, type WebhookTry } from './webhook-sender.service.js';

const MOST = 20;
const SECRET_BYTES = 32;
const TEST_MS = 12_000;

const NewWebhook = z.object({
  url: z
    .string()
    .trim()
    .max(2_000, 'This must be at most 2,000 characters long.')
    .refine(
      isWebAddress,
      'This must be an address that begins with https:// or http://, without a password.',
    ),
  kinds: z
    .array(z.enum(notificationKinds, `This must be one of ${notificationKinds.join(', ')}.`))
    .min(1, 'Leave it out for all kinds.')
    .max(100, 'These are too many.')
    .nullish()
    .transform((kinds) => (kinds ? [...new Set(kinds)] : null)),
});

/** The company's webhooks, as admins make and see them. */
@Injectable()
export class Webhooks {
  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhookRepository,
    private readonly audit: AuditService,
    private readonly secrets: Secrets,
    private readonly sender: WebhookSender,
  ) {}

  /** Whoever calls has checked the role. */
  list(viewer: Viewer): Promise<Webhook[]> {
    return this.database.read(viewer.companyId, (tx) => this.webhooks.list(tx));
  }

  /** For admins; null for everybody else, as for what is not there. */
  async find(viewer: Viewer, id: string): Promise<Webhook | null> {
    if (!isId(id) || viewer.role === 'MEMBER') return null;
    return this.database.read(viewer.companyId, (tx) => this.webhooks.find(tx, id));
  }

  /** `secret` is told this once. Rejects with BAD_USER_INPUT, or CONFLICT when there are too many. */
  create(viewer: Viewer, input: unknown): Promise<{ webhook: Webhook; secret: string }> {
    const { url, kinds } = checkInput(NewWebhook, input);
    const id = newId();
    const secret = secretOf(randomBytes(SECRET_BYTES));
    const encrypted = this.secrets.encrypt(secret, aboutWebhook({ companyId: viewer.companyId, id }));
    return this.database.transaction(viewer.companyId, async (tx) => {
      if ((await this.webhooks.count(tx)) >= MOST) throw tooMany();
      await this.webhooks.insert(tx, { id, url, secret: encrypted, kinds });
      await this.audit.record(tx, viewer.id, 'webhook.created', id, { url, kinds });
      return { webhook: await this.get(tx, id), secret };
    });
  }

  /** Rejects with NOT_FOUND. */
  async delete(viewer: Viewer, id: string): Promise<string> {
    if (!isId(id)) throw notFound('webhook');
    await this.database.transaction(viewer.companyId, async (tx) => {
      const { url } = await this.get(tx, id);
      await this.webhooks.delete(tx, id);
      await this.audit.record(tx, viewer.id, 'webhook.deleted', id, { url });
    });
    return id;
  }

  /** What happens while it is off it is never told. Rejects with NOT_FOUND. */
  setActive(viewer: Viewer, id: string, active: boolean): Promise<Webhook> {
    if (!isId(id)) throw notFound('webhook');
    return this.database.transaction(viewer.companyId, async (tx) => {
      const before = await this.get(tx, id);
      if ((before.disabledAt === null) === active) return before;
      await this.webhooks.setActive(tx, id, active, new Date());
      await this.audit.record(tx, viewer.id, active ? 'webhook.activated' : 'webhook.deactivated', id);
      return this.get(tx, id);
    });
  }

  /** Sends a message of the type `ping`, once, and says what came of it. Rejects with NOT_FOUND. */
  async test(viewer: Viewer, id: string): Promise<WebhookTry> {
    const webhook = await this.find(viewer, id);
    if (!webhook) throw notFound('webhook');
    const ping = { id: newId(), type: 'ping' as const, at: new Date(), data: {} };
    return this.sender.send(webhook, ping, AbortSignal.timeout(TEST_MS));
  }

  private async get(tx: Transaction, id: string): Promise<Webhook> {
    const webhook = await this.webhooks.find(tx, id);
    if (!webhook) throw notFound('webhook');
    return webhook;
  }
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

const tooMany = (): DomainError =>
  new DomainError('CONFLICT', `There are ${MOST} webhooks, which is the limit. Delete one first.`, {
    limit: MOST,
  });
