import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { z } from 'zod';

import { addressOfApiKey, newApiKey } from '../../auth/api-key.js';
import { roles, type Viewer } from '../../auth/viewer.js';
import { checkInput } from '../../common/check-input.js';
import { DomainError, notFound } from '../../common/errors/domain-error.js';
import { isId, newId } from '../../common/ids.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../../common/schema/page.js';
import { line } from '../../common/text/plain-line.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { PubSub } from '../../pubsub/pub-sub.js';
import { AuditService } from '../audit/audit.service.js';
import { MemberRepository } from '../members/member.repository.js';
import { MembersService } from '../members/members.service.js';
import { RememberedMembers } from '../members/remembered-members.js';
import type { ApiKey } from './api-key.entity.js';
import { apiKeyOrder, ApiKeyRepository } from './api-key.repository.js';

const MOST_IN_FORCE = 200;

/** The last use is written down this often at most. */
const USE_MS = 60 * 60_000;

const NewApiKey = z.object({
  name: line(100),
  role: z
    .enum(roles)
    .nullish()
    .transform((role) => role ?? 'MEMBER')
    .refine((role) => role !== 'OPERATOR', 'A key is a member’s or an admin’s; operators sign in.'),
  expiresAt: z
    .date()
    .nullish()
    .refine((date) => date == null || date.getTime() > Date.now(), 'This must be in the future.'),
});

/** Keys that programs sign in with: each is a member of its own, with what it asks and is answered. */
@Injectable()
export class ApiKeys implements OnApplicationShutdown {
  /** By the digests of their keys. */
  private readonly remembered: RememberedMembers<Viewer>;

  constructor(
    private readonly database: Database,
    private readonly keys: ApiKeyRepository,
    private readonly members: MemberRepository,
    private readonly audit: AuditService,
    private readonly announcer: MembersService,
    pubSub: PubSub,
  ) {
    this.remembered = new RememberedMembers(pubSub);
  }

  onApplicationShutdown(): void {
    this.remembered.stop();
  }

  /** Who comes with the key. Rejects with UNAUTHENTICATED, in the same words whatever is wrong with it. */
  async admit(key: string): Promise<Viewer> {
    const address = addressOfApiKey(key);
    if (!address) throw refused();
    const { companyId, digest } = address;
    const viewer =
      this.remembered.recall(digest) ??
      (await this.remembered.lookUp(digest, () => this.getViewer(companyId, digest)));
    if (viewer.expiresAt !== null && viewer.expiresAt.getTime() <= Date.now()) throw refused();
    return viewer;
  }

  /** `secret` is told this once. Rejects with BAD_USER_INPUT, FORBIDDEN, or CONFLICT when there are too many. */
  async create(viewer: Viewer, input: unknown): Promise<{ apiKey: ApiKey; secret: string }> {
    const { name, role, expiresAt = null } = checkInput(NewApiKey, input);
    const secret = newApiKey(viewer.companyId);
    const digest = addressOfApiKey(secret)?.digest;
    if (digest === undefined) throw new Error('A new key has not the form of one.');
    const apiKey = await this.database.transaction(viewer.companyId, async (tx) => {
      await this.requirePerson(tx, viewer);
      if ((await this.keys.countInForce(tx, MOST_IN_FORCE)) >= MOST_IN_FORCE) throw tooMany();
      const id = newId();
      const member = { subject: `api-key ${id}`, name, email: null, role };
      const memberId = await this.members.admit(tx, member);
      const details = { name, role, expiresAt: expiresAt?.toISOString() ?? null };
      await this.audit.record(tx, viewer.id, 'api-key.created', id, details);
      return this.keys.add(tx, { id, memberId, name, role, digest, expiresAt });
    });
    return { apiKey, secret };
  }

  /** From now on nobody signs in with it, and whoever did is signed out. A second time does nothing. */
  revoke(viewer: Viewer, id: string): Promise<ApiKey> {
    if (!isId(id)) throw notFound('API key');
    return this.database.transaction(viewer.companyId, async (tx) => {
      await this.requirePerson(tx, viewer);
      const revoked = await this.keys.revoke(tx, id, new Date());
      if (!revoked) throw notFound('API key');
      const { key, isNew } = revoked;
      if (!isNew) return key;
      await this.audit.record(tx, viewer.id, 'api-key.revoked', key.id, { name: key.name });
      await this.announcer.announceGone(tx, key.memberId);
      return key;
    });
  }

  /** Those that were revoked too. Whoever calls has checked the role. */
  list(viewer: Viewer, page: ForwardPageArguments): Promise<Page<ApiKey>> {
    const request = pageRequest(page, apiKeyOrder);
    return this.database.read(viewer.companyId, (tx) => this.keys.list(tx, request));
  }

  /** For admins; null for everybody else, as for what is not there. */
  async find(viewer: Viewer, id: string): Promise<ApiKey | null> {
    if (!isId(id) || viewer.role === 'MEMBER') return null;
    return this.database.read(viewer.companyId, (tx) => this.keys.find(tx, id));
  }

  /** Rejects with UNAUTHENTICATED, and notes from time to time that the key is used. */
  private async getViewer(companyId: string, digest: string): Promise<Viewer> {
    const key = await this.database.transaction(companyId, async (tx) => {
      const found = await this.keys.findInForce(tx, digest);
      const now = new Date();
      const isFresh = found?.lastUsedAt && now.getTime() - found.lastUsedAt.getTime() < USE_MS;
      if (found && !isFresh) await this.keys.use(tx, found.id, now);
      return found;
    });
    if (!key) throw refused();
    const { memberId: id, role, name, expiresAt } = key;
    return { id, companyId, role, name, email: null, expiresAt };
  }

  /** Or a key that has leaked could outlive its own end. */
  private async requirePerson(tx: Transaction, viewer: Viewer): Promise<void> {
    if (!(await this.keys.isOne(tx, viewer.id))) return;
    throw new DomainError(
      'FORBIDDEN',
      'API keys are made and revoked by people, not by programs with a key.',
    );
  }
}

const refused = (): DomainError =>
  new DomainError('UNAUTHENTICATED', 'The API key is not valid, or not any more.');

const tooMany = (): DomainError =>
  new DomainError('CONFLICT', `There are ${MOST_IN_FORCE} API keys, which is the limit. Revoke one first.`, {
    limit: MOST_IN_FORCE,
  });
