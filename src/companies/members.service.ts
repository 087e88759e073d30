import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import type { Claims } from '../auth/token-verifier.js';
import type { Role, Viewer } from '../auth/viewer.js';
import { DomainError, notFound } from '../common/domain-error.js';
import { isId } from '../common/ids.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../common/page.js';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { PubSub } from '../pubsub/pub-sub.js';
import { CompanyRepository } from './company.repository.js';
import type { Member } from './member.entity.js';
import { MemberRepository } from './member.repository.js';

/** The topic on which the ids of members are told whom nobody is any more. */
export const MEMBER_GONE = 'member-gone';

const REMEMBERED = 10_000;
const REMEMBERED_FOR_MS = 60_000;

/** A company has a few; this keeps a list from growing with whatever an identity provider says. */
const MOST_ADMINS = 1_000;

interface Remembered {
  companyId: string;
  memberId: string;
  name: string;
  email: string | null;
  role: Role;
  until: number;
}

/** Turns what a genuine token says into a viewer of this installation. */
@Injectable()
export class MembersService implements OnApplicationShutdown {
  /** Spares two transactions a request; only who was found is remembered, so that a new company works at once. */
  private readonly remembered = new Map<string, Remembered>();
  private readonly stops: (() => void)[];

  constructor(
    private readonly database: Database,
    private readonly companies: CompanyRepository,
    private readonly members: MemberRepository,
    private readonly pubSub: PubSub,
  ) {
    this.stops = [
      pubSub.subscribe(MEMBER_GONE, (memberId) => this.forget(memberId)),
      pubSub.onGap(() => this.remembered.clear()),
    ];
  }

  onApplicationShutdown(): void {
    for (const stop of this.stops) stop();
  }

  /** A new `sub` of a known company becomes a member; an unknown company is UNAUTHENTICATED. */
  async admit(claims: Claims): Promise<Viewer> {
    const { companyId, memberId } = this.recall(claims) ?? (await this.lookUp(claims));
    const { role, name, email, expiresAt } = claims;
    return { id: memberId, companyId, role, name, email, expiresAt };
  }

  async get(tx: Transaction, id: string): Promise<Member> {
    const member = await this.members.find(tx, id);
    if (!member) throw notFound('member');
    return member;
  }

  /** Of the viewer's company; whoever calls has checked the role. */
  list(viewer: Viewer, page: ForwardPageArguments): Promise<Page<Member>> {
    const request = pageRequest(page, 'members', ['uuid']);
    return this.database.read(viewer.companyId, (tx) => this.members.list(tx, request));
  }

  /** For admins; null for everybody else, as for what is not there. */
  async find(viewer: Viewer, id: string): Promise<Member | null> {
    if (!isId(id) || viewer.role === 'MEMBER') return null;
    const [member] = await this.findMany(viewer, [id]);
    return member ?? null;
  }

  findMany(viewer: Viewer, ids: readonly string[]): Promise<Member[]> {
    return this.database.read(viewer.companyId, (tx) => this.members.findMany(tx, ids));
  }

  /** Who was last seen as an admin or operator of the company. */
  listAdminIds(tx: Transaction): Promise<string[]> {
    return this.members.listAdminIds(tx, MOST_ADMINS);
  }

  /** Has every replica look again who comes with the tokens of a member who is none any more. */
  announceGone(tx: Transaction, id: string): Promise<void> {
    return this.pubSub.publish(tx, MEMBER_GONE, id);
  }

  private forget(id: string): void {
    for (const [key, { memberId }] of this.remembered) if (memberId === id) this.remembered.delete(key);
  }

  private recall(claims: Claims): Remembered | null {
    const found = this.remembered.get(keyOf(claims));
    // Whoever comes with another name, address or role is written down again.
    const same = found?.name === claims.name && found.email === claims.email && found.role === claims.role;
    return same && found.until > Date.now() ? found : null;
  }

  private async lookUp(claims: Claims): Promise<Remembered> {
    const companyId = await this.database.systemTransaction((tx) =>
      this.companies.findIdBySlug(tx, claims.companySlug),
    );
    if (!companyId)
      throw new DomainError('UNAUTHENTICATED', 'The token is for a company that does not exist here.');
    const memberId = await this.database.transaction(companyId, (tx) => this.members.admit(tx, claims));
    const { name, email, role } = claims;
    const found = { companyId, memberId, name, email, role, until: Date.now() + REMEMBERED_FOR_MS };
    if (this.remembered.size >= REMEMBERED) this.remembered.clear();
    this.remembered.set(keyOf(claims), found);
    return found;
  }
}

const keyOf = ({ companySlug, subject }: Claims): string => JSON.stringify([companySlug, subject]);
