import { hash, randomBytes } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { parse, stringify } from 'uuid';
import { z } from 'zod';
import { line } from '@palabre/text';

import { checkInput } from '../../common/check-input.js';
import { DomainError, existing, notFound } from '../../common/errors/domain-error.js';
import { isId, newId } from '../../common/ids.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../../common/schema/page.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { PubSub } from '../../platform/pubsub/pub-sub.js';
import { AuditService } from '../audit/audit.service.js';
import { apiKeyScopes, defaultScopes, roles, type Viewer } from '../auth/viewer.js';
import { CompanyRepository } from '../company.repository.js';
import { MemberRepository } from '../members/member.repository.js';
import { memberDeactivated, MembersService } from '../members/members.service.js';
import { MemberCache } from '../members/member-access.service.js';
import { type ApiKey, apiKeyOrder, ApiKeyRepository } from './api-key.repository.js';

const SECRET_BYTES = 32;

/** `plb_`, then the company's id and the secret in base64url: 22 and 43 characters. */
const KEY_PATTERN = /^plb_([\w-]{22})[\w-]{43}$/;

/** Tells API keys from JWTs among bearer tokens. */
export const API_KEY_PREFIX = 'plb_';

/** The lookup of a key: its company's id, and the SHA-256 of the whole key. */
interface ParsedApiKey {
  companyId: string;
  digest: string;
}

/** A fast hash is enough for it: nobody guesses 32 random bytes. */
export function generateApiKey(companyId: string): string {
  return (
    API_KEY_PREFIX +
    Buffer.from(parse(companyId)).toString('base64url') +
    randomBytes(SECRET_BYTES).toString('base64url')
  );
}

/** Null: not formed like a key. */
export function parseApiKey(key: string): ParsedApiKey | null {
  const company = KEY_PATTERN.exec(key)?.[1];
  if (company === undefined) return null;
  try {
    return {
      companyId: stringify(Buffer.from(company, 'base64url')),
      digest: hash('sha256', key, 'base64url'),
    };
  } catch {
    return null;
  }
}

export const MAX_API_KEYS = 200;

/** `lastUsedAt` is written at most this often. */
const USE_RECORDED_EVERY_MS = 60 * 60_000;

const NewApiKey = z.object({
  name: line(100),
  role: z
    .enum(roles)
    .nullish()
    .transform((role) => role ?? 'MEMBER')
    .refine((role) => role !== 'OPERATOR', 'A key is a member’s or an admin’s; operators sign in.'),
  scopes: z
    .array(z.enum(apiKeyScopes))
    .min(1, 'Name at least one scope.')
    .nullish()
    .transform((scopes) => apiKeyScopes.filter((scope) => (scopes ?? defaultScopes).includes(scope))),
  expiresAt: z
    .date()
    .nullish()
    .refine((date) => date == null || date.getTime() > Date.now(), 'This must be in the future.'),
});

/** API keys. Programs sign in with them; each key is a member of its own. */
@Injectable()
export class ApiKeys implements OnApplicationShutdown {
  /** By the digest of the key. */
  private readonly cache: MemberCache<Viewer>;
  /** By the key's member and the name of the represented person. */
  private readonly spokenFor: MemberCache<Viewer>;

  constructor(
    private readonly database: Database,
    private readonly keys: ApiKeyRepository,
    private readonly members: MemberRepository,
    private readonly companies: CompanyRepository,
    private readonly audit: AuditService,
    private readonly announcer: MembersService,
    pubSub: PubSub,
  ) {
    this.cache = new MemberCache(pubSub);
    this.spokenFor = new MemberCache(pubSub);
  }

  onApplicationShutdown(): void {
    this.cache.stop();
    this.spokenFor.stop();
  }

  /** The viewer who signs in with the key. Rejects with UNAUTHENTICATED, with one message for every reason. */
  async admit(key: string): Promise<Viewer> {
    const address = parseApiKey(key);
    if (!address) throw refused();
    const { companyId, digest } = address;
    const viewer =
      this.cache.get(digest) ?? (await this.cache.load(digest, () => this.getViewer(companyId, digest)));
    if (viewer.expiresAt !== null && viewer.expiresAt.getTime() <= Date.now()) throw refused();
    return viewer;
  }

  /**
   * The member of the key's company with this subject or email address, for whom the key speaks: with the key's
   * scopes, and at most its role. Audited once a day. Rejects with FORBIDDEN for no match or two.
   */
  async speakFor(key: Viewer, name: string): Promise<Viewer> {
    const entry = JSON.stringify([key.id, name]);
    return (
      this.spokenFor.get(entry) ?? (await this.spokenFor.load(entry, () => this.findSpokenFor(key, name)))
    );
  }

  private findSpokenFor(key: Viewer, name: string): Promise<Viewer> {
    return this.database.transaction(key.companyId, async (tx) => {
      const [first, second] = await this.members.listNamed(tx, name);
      const member = second && first?.subject !== name ? undefined : first;
      if (!member || member.deactivatedAt !== null) throw nobodyNamed();
      await this.audit.recordDaily(tx, key.id, 'api-key.spoke-for', member.id);
      const role = member.role === 'MEMBER' ? member.role : key.role;
      return { ...key, id: member.id, name: member.name, email: member.email, role, spokenForBy: key.id };
    });
  }

  /** `secret` cannot be read again. Rejects with BAD_USER_INPUT, FORBIDDEN, or CONFLICT when there are too many keys. */
  async create(viewer: Viewer, input: unknown): Promise<{ apiKey: ApiKey; secret: string }> {
    const { name, role, scopes, expiresAt = null } = checkInput(NewApiKey, input);
    const secret = generateApiKey(viewer.companyId);
    const digest = parseApiKey(secret)?.digest;
    if (digest === undefined) throw new Error('A newly made key has the wrong form.');
    const apiKey = await this.database.transaction(viewer.companyId, async (tx) => {
      await this.requirePerson(tx, viewer);
      // Locked: a key that is made while its maker is deactivated would not be paused.
      if (!(await this.members.lockIfActive(tx, viewer.id))) throw memberDeactivated();
      await this.companies.lockOwn(tx);
      if ((await this.keys.countInForce(tx, MAX_API_KEYS)) >= MAX_API_KEYS) throw tooMany();
      const id = newId();
      const member = { subject: `api-key ${id}`, name, email: null, role };
      const { id: memberId } = await this.members.admit(tx, member);
      const details = { name, role, scopes, expiresAt: expiresAt?.toISOString() ?? null };
      await this.audit.record(tx, viewer.id, 'api-key.created', id, details);
      const createdBy = viewer.id;
      return this.keys.add(tx, { id, memberId, name, role, scopes, createdBy, digest, expiresAt });
    });
    return { apiKey, secret };
  }

  /** Revokes the key and closes its sockets. A second time does nothing. */
  revoke(viewer: Viewer, id: string): Promise<ApiKey> {
    if (!isId(id)) throw notFound('API key');
    return this.database.transaction(viewer.companyId, async (tx) => {
      await this.requirePerson(tx, viewer);
      const revoked = existing(await this.keys.revoke(tx, id, new Date()), 'API key');
      const { key, isNew } = revoked;
      if (!isNew) return key;
      await this.audit.record(tx, viewer.id, 'api-key.revoked', key.id, { name: key.name });
      await this.announcer.announceGone(tx, key.memberId);
      return key;
    });
  }

  /** Includes revoked keys. The caller has checked the role. */
  list(viewer: Viewer, page: ForwardPageArguments): Promise<Page<ApiKey>> {
    const request = pageRequest(page, apiKeyOrder);
    return this.database.read(viewer.companyId, (tx) => this.keys.page(tx, apiKeyOrder, request));
  }

  /** Rejects with UNAUTHENTICATED. Records the use of the key, if the last record is old. */
  private async getViewer(companyId: string, digest: string): Promise<Viewer> {
    const key = await this.database.transaction(companyId, async (tx) => {
      const found = await this.keys.findInForce(tx, digest);
      const now = new Date();
      const isFresh = found?.lastUsedAt && now.getTime() - found.lastUsedAt.getTime() < USE_RECORDED_EVERY_MS;
      if (found && !isFresh) await this.keys.update(tx, { id: found.id }, { lastUsedAt: now });
      return found;
    });
    if (!key) throw refused();
    const { memberId: id, role, scopes, name, expiresAt } = key;
    return { id, companyId, role, scopes, name, email: null, expiresAt };
  }

  /** Refuses API keys: a leaked key could make another one before it is revoked. */
  private async requirePerson(tx: Transaction, viewer: Viewer): Promise<void> {
    if (!(await this.keys.isApiKeyMember(tx, viewer.id))) return;
    throw new DomainError(
      'FORBIDDEN',
      'API keys are made and revoked by people, not by programs with a key.',
    );
  }
}

function refused(): DomainError {
  return new DomainError('UNAUTHENTICATED', 'The API key is not valid, or no longer valid.');
}

function nobodyNamed(): DomainError {
  return new DomainError(
    'FORBIDDEN',
    'The key speaks for members who have signed in here, by their subject or email address: there is no such one.',
  );
}

function tooMany(): DomainError {
  return new DomainError(
    'CONFLICT',
    `There are ${MAX_API_KEYS} API keys, which is the limit. Revoke one first.`,
    {
      limit: MAX_API_KEYS,
    },
  );
}
