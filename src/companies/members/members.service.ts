import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import type { Claims } from '../../auth/token-verifier.js';
import type { Viewer } from '../../auth/viewer.js';
import { DomainError, notFound } from '../../common/errors/domain-error.js';
import { isId } from '../../common/ids.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../../common/schema/page.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { PubSub } from '../../pubsub/pub-sub.js';
import { CompanyRepository } from '../company.repository.js';
import type { Member } from './member.entity.js';
import { memberOrder, MemberRepository } from './member.repository.js';
import { MEMBER_GONE, RememberedMembers } from './remembered-members.js';

/** A company has a few; this keeps a list from growing with whatever an identity provider says. */
const MOST_ADMINS = 1_000;

/** Who comes with a token, whenever that ends. */
type KnownMember = Omit<Viewer, 'expiresAt'>;

/** Turns what a genuine token says into a viewer of this installation. */
@Injectable()
export class MembersService implements OnApplicationShutdown {
  private readonly remembered: RememberedMembers<KnownMember>;

  constructor(
    private readonly database: Database,
    private readonly companies: CompanyRepository,
    private readonly members: MemberRepository,
    private readonly pubSub: PubSub,
  ) {
    this.remembered = new RememberedMembers(pubSub);
  }

  onApplicationShutdown(): void {
    this.remembered.stop();
  }

  /** A new `sub` of a known company becomes a member; an unknown company is UNAUTHENTICATED. */
  async admit(claims: Claims): Promise<Viewer> {
    const key = keyOf(claims);
    const known = this.remembered.recall(key);
    // Whoever comes with another name, address or role is written down again.
    const isSame = known?.name === claims.name && known.email === claims.email && known.role === claims.role;
    const member = isSame ? known : await this.remembered.lookUp(key, () => this.lookUp(claims));
    return { ...member, expiresAt: claims.expiresAt };
  }

  async get(tx: Transaction, id: string): Promise<Member> {
    const member = await this.members.find(tx, id);
    if (!member) throw notFound('member');
    return member;
  }

  /** Of the viewer's company; whoever calls has checked the role. */
  list(viewer: Viewer, page: ForwardPageArguments): Promise<Page<Member>> {
    const request = pageRequest(page, memberOrder);
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

  private async lookUp(claims: Claims): Promise<KnownMember> {
    const companyId = await this.database.systemTransaction((tx) =>
      this.companies.findIdBySlug(tx, claims.companySlug),
    );
    if (!companyId)
      throw new DomainError('UNAUTHENTICATED', 'The token is for a company that does not exist here.');
    const id = await this.database.transaction(companyId, (tx) => this.members.admit(tx, claims));
    const { name, email, role } = claims;
    return { id, companyId, name, email, role };
  }
}

const keyOf = ({ companySlug, subject }: Claims): string => JSON.stringify([companySlug, subject]);
