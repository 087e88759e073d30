import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { DomainError, existing } from '../../common/errors/domain-error.js';
import { isId } from '../../common/ids.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../../common/schema/page.js';
import { awaitAll, type Transaction } from '../../platform/database/transaction.js';
import { Database } from '../../platform/database/database.js';
import { PubSub } from '../../platform/pubsub/pub-sub.js';
import type { Claims } from '../auth/token-claims.js';
import type { Viewer } from '../auth/viewer.js';
import { CompanyRepository } from '../company.repository.js';
import { type Member, memberOrder, MemberRepository } from './member.repository.js';
import { isSessionOver, MEMBER_GONE, MemberCache, SESSIONS_ENDED } from './member-access.service.js';

/** Companies have a few. An identity provider may make everybody an admin by mistake. */
const MAX_ADMINS = 1_000;

/** A viewer without the fields of a single token. */
type CachedMember = Omit<Viewer, 'expiresAt' | 'sessionBegan'> & Pick<Member, 'sessionsEndedAt'>;

/** Turns the claims of a verified token into a viewer, and reads members. */
@Injectable()
export class MembersService implements OnApplicationShutdown {
  private readonly cache: MemberCache<CachedMember>;
  private readonly loading = new Map<string, Promise<CachedMember>>();

  constructor(
    private readonly database: Database,
    private readonly companies: CompanyRepository,
    private readonly members: MemberRepository,
    private readonly pubSub: PubSub,
  ) {
    this.cache = new MemberCache(pubSub);
  }

  onApplicationShutdown(): void {
    this.cache.stop();
  }

  /**
   * Makes a new `sub` a member. Rejects with UNAUTHENTICATED for an unknown company, a deactivated member or a session
   * that was ended.
   */
  async admit(claims: Claims): Promise<Viewer> {
    const key = JSON.stringify([claims.companySlug, claims.subject]);
    const known = this.cache.get(key);
    // A changed name, email or role must be stored.
    const isSame = known?.name === claims.name && known.email === claims.email && known.role === claims.role;
    const { sessionsEndedAt, ...member } = isSame ? known : await this.loadOnce(key, claims);
    const { expiresAt, sessionBegan } = claims;
    if (isSessionOver(sessionBegan, sessionsEndedAt)) throw sessionOver();
    return { ...member, expiresAt, ...(sessionBegan && { sessionBegan }) };
  }

  /** Many connections with one token that open at once would each lock and write the member's row. */
  private loadOnce(key: string, claims: Claims): Promise<CachedMember> {
    const { name, email, role, sessionBegan } = claims;
    const same = JSON.stringify([key, name, email, role, sessionBegan]);
    const loading =
      this.loading.get(same) ??
      this.cache.load(key, () => this.lookUp(claims)).finally(() => this.loading.delete(same));
    this.loading.set(same, loading);
    return loading;
  }

  /** Rejects with NOT_FOUND; `path`: the argument with the id. */
  async get(tx: Transaction, id: string, path: readonly string[] = []): Promise<Member> {
    return existing(isId(id) ? await this.members.find(tx, { id }) : null, 'member', path);
  }

  /** The member as a viewer of their last role; null: they may not sign in any more. */
  async findActive(tx: Transaction, id: string): Promise<Viewer | null> {
    const [active, member] = await awaitAll([
      this.members.listActive(tx, [id]),
      this.members.find(tx, { id }),
    ]);
    if (!member || !active.has(id)) return null;
    const { role, name, email } = member;
    return { id, companyId: tx.companyId, role, name, email, scopes: null, expiresAt: null };
  }

  /** Members of the viewer's company. The caller has checked the role. */
  list(viewer: Viewer, page: ForwardPageArguments): Promise<Page<Member>> {
    const request = pageRequest(page, memberOrder);
    return this.database.read(viewer.companyId, (tx) => this.members.pageOfPresent(tx, request));
  }

  /** Null for viewers who are members, as for a member that does not exist. */
  async find(viewer: Viewer, id: string): Promise<Member | null> {
    if (!isId(id) || viewer.role === 'MEMBER') return null;
    const [member] = await this.findMany(viewer, [id]);
    return member ?? null;
  }

  findMany(viewer: Viewer, ids: readonly string[]): Promise<Member[]> {
    return this.database.read(viewer.companyId, (tx) => this.members.findMany(tx, ids));
  }

  /** The members last seen as an admin or operator of the company. */
  listAdminIds(tx: Transaction): Promise<string[]> {
    return this.members.listAdminIds(tx, MAX_ADMINS);
  }

  /** Tells every replica, once `tx` commits, to drop the member from its cache and to close their connections. */
  announceGone(tx: Transaction, id: string): Promise<void> {
    return this.pubSub.publish(tx, MEMBER_GONE, id);
  }

  /** Ends the member's sessions in all browsers, on every replica. Tokens stay good. */
  endSessions({ id, companyId }: Viewer): Promise<void> {
    return this.database.transaction(companyId, async (tx) => {
      await this.members.update(tx, { id }, { sessionsEndedAt: new Date() });
      await this.pubSub.publish(tx, SESSIONS_ENDED, id);
    });
  }

  private async lookUp(claims: Claims): Promise<CachedMember> {
    const companyId = await this.database.systemTransaction((tx) =>
      this.companies.findIdBySlug(tx, claims.companySlug),
    );
    if (!companyId)
      throw new DomainError('UNAUTHENTICATED', 'The token is for a company that does not exist here.');
    // A refused sign-in changes nothing, because its data may be old.
    const { id, sessionsEndedAt } = await this.database.transaction(companyId, async (tx) => {
      const member = await this.members.admit(tx, claims);
      if (member.deactivatedAt !== null) throw memberDeactivated();
      if (isSessionOver(claims.sessionBegan, member.sessionsEndedAt)) throw sessionOver();
      return member;
    });
    const { name, email, role } = claims;
    return { id, companyId, name, email, role, scopes: null, sessionsEndedAt };
  }
}

function sessionOver(): DomainError {
  return new DomainError('UNAUTHENTICATED', 'The session is over.');
}

export function memberDeactivated(): DomainError {
  return new DomainError(
    'UNAUTHENTICATED',
    'You have been deactivated. An admin of the company can reactivate you.',
  );
}
