import { randomBytes } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { checkInput } from '../../../common/check-input.js';
import { DomainError, existing, notFound } from '../../../common/errors/domain-error.js';
import { isId, newId } from '../../../common/ids.js';
import { Database } from '../../../platform/database/database.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { JobQueue } from '../../../platform/jobs/job-queue.js';
import { Secrets } from '../../../platform/secrets.js';
import { AuditService } from '../../audit/audit.service.js';
import type { Viewer } from '../../auth/viewer.js';
import { CompanyRepository } from '../../company.repository.js';
import { encryptWebhook } from '../../companies.jobs.js';
import { OwedWork } from '../../owed-work.service.js';
import {
  encryptAddress,
  formatSecret,
  isPlainText,
  secretPurpose,
  type WebhookAttempt,
  WebhookSender,
} from './webhook-sender.service.js';
import { MAX_WEBHOOKS, NewWebhook } from './webhook-input.js';
import { type Webhook, WebhookRepository } from './webhook.repository.js';

const SECRET_BYTES = 32;
const TEST_MS = 12_000;

/** Creates, changes and tests the webhooks of a company. */
@Injectable()
export class Webhooks {
  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhookRepository,
    private readonly companies: CompanyRepository,
    private readonly audit: AuditService,
    private readonly secrets: Secrets,
    private readonly sender: WebhookSender,
  ) {}

  /** The caller has checked the role. */
  list(viewer: Viewer): Promise<Webhook[]> {
    return this.database.read(viewer.companyId, (tx) => this.webhooks.list(tx, {}, 'ORDER BY id'));
  }

  /** `secret` cannot be read again. Rejects with BAD_USER_INPUT, or CONFLICT when there are too many webhooks. */
  create(viewer: Viewer, input: unknown): Promise<{ webhook: Webhook; secret: string }> {
    const { url, kinds } = checkInput(NewWebhook, input);
    const id = newId();
    const secret = formatSecret(randomBytes(SECRET_BYTES));
    const address = encryptAddress(this.secrets, { companyId: viewer.companyId, id }, url);
    const encrypted = this.secrets.encrypt(secret, secretPurpose({ companyId: viewer.companyId, id }));
    return this.database.transaction(viewer.companyId, async (tx) => {
      await this.companies.lockOwn(tx);
      if ((await this.webhooks.list(tx)).length >= MAX_WEBHOOKS) throw tooMany();
      await this.webhooks.insert(tx, { id, ...address, secret: encrypted, kinds });
      await this.audit.record(tx, viewer.id, 'webhook.created', id, { url: address.origin, kinds });
      return { webhook: await this.get(tx, id), secret };
    });
  }

  /** Rejects with NOT_FOUND. */
  async delete(viewer: Viewer, id: string): Promise<string> {
    if (!isId(id)) throw notFound('webhook');
    await this.database.transaction(viewer.companyId, async (tx) => {
      const { origin } = await this.get(tx, id);
      await this.webhooks.delete(tx, { id });
      await this.audit.record(tx, viewer.id, 'webhook.deleted', id, { url: origin });
    });
    return id;
  }

  /** Notifications that are added while it is off are never sent. Rejects with NOT_FOUND. */
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

  /** Sends a `ping` message once, and gives the outcome. Rejects with NOT_FOUND. */
  async test(viewer: Viewer, id: string): Promise<WebhookAttempt> {
    if (!isId(id)) throw notFound('webhook');
    const webhook = await this.database.read(viewer.companyId, (tx) => this.get(tx, id));
    const ping = { id: newId(), type: 'ping' as const, at: new Date(), data: {} };
    return this.sender.send(webhook, ping, AbortSignal.timeout(TEST_MS));
  }

  private async get(tx: Transaction, id: string): Promise<Webhook> {
    return existing(await this.webhooks.find(tx, { id }), 'webhook');
  }
}

function tooMany(): DomainError {
  return new DomainError(
    'CONFLICT',
    `There are ${MAX_WEBHOOKS} webhooks, which is the limit. Delete one first.`,
    {
      limit: MAX_WEBHOOKS,
    },
  );
}

/** Encrypts the addresses that an earlier version stored as plain text. */
@Injectable()
export class WebhookAddressEncryption implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly webhooks: WebhookRepository,
    private readonly secrets: Secrets,
    owed: OwedWork,
  ) {
    owed.register(encryptWebhook, async (tx) => {
      const ids = await this.webhooks.listUnencrypted(tx);
      return ids.map((webhookId) => ({ companyId: tx.companyId, webhookId }));
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(encryptWebhook, ({ companyId, webhookId }) => this.encrypt(companyId, webhookId));
  }

  private async encrypt(companyId: string, id: string): Promise<void> {
    await this.database.transaction(companyId, async (tx) => {
      const webhook = await this.webhooks.find(tx, { id });
      if (!webhook || !isPlainText(webhook.url)) return;
      // Unless it was changed meanwhile.
      const unchanged = { id, url: webhook.url };
      await this.webhooks.update(tx, unchanged, encryptAddress(this.secrets, webhook, webhook.url));
    });
  }
}
