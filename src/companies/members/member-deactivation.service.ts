import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/clock.js';
import { DomainError, notFound } from '../../common/errors/domain-error.js';
import { isId } from '../../common/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { ApiKeyRepository } from '../api-keys/api-key.repository.js';
import { AuditService } from '../audit/audit.service.js';
import type { Viewer } from '../auth/viewer.js';
import { CompanyRepository } from '../company.repository.js';
import { type Member, MemberRepository } from './member.repository.js';
import { MembersService } from './members.service.js';

/** Deactivates and reactivates members, whatever their identity provider says. */
@Injectable()
export class MemberDeactivation {
  constructor(
    private readonly database: Database,
    private readonly members: MemberRepository,
    private readonly companies: CompanyRepository,
    private readonly keys: ApiKeyRepository,
    private readonly service: MembersService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends the member's access and that of the keys that they made, and closes their connections on every replica. A second
   * time does nothing. Rejects with NOT_FOUND, or with CONFLICT for the viewer and for the last admin. The caller has
   * checked the role.
   */
  deactivate(viewer: Viewer, id: string): Promise<Member> {
    if (id === viewer.id) throw refused('You cannot deactivate yourself. Ask another admin.');
    return this.change(viewer, id, async (tx, member) => {
      if (member.deactivatedAt !== null) return;
      if (member.role !== 'MEMBER' && !(await this.members.hasAnotherAdmin(tx, id)))
        throw refused('This is the last admin who can sign in. Make somebody else an admin first.');
      const now = this.clock.now();
      await this.members.update(tx, { id }, { deactivatedAt: now });
      const keyMembers = await this.keys.pauseByMember(tx, id, now);
      await this.audit.record(tx, viewer.id, 'member.deactivated', id, { apiKeysPaused: keyMembers.length });
      for (const gone of new Set([id, ...keyMembers])) await this.service.announceGone(tx, gone);
    });
  }

  /** Gives access back to the member and the keys that they made. A second time does nothing. Rejects with NOT_FOUND. */
  reactivate(viewer: Viewer, id: string): Promise<Member> {
    return this.change(viewer, id, async (tx, member) => {
      if (member.deactivatedAt === null) return;
      await this.members.update(tx, { id }, { deactivatedAt: null });
      const apiKeysResumed = await this.keys.resumeByMember(tx, id);
      await this.audit.record(tx, viewer.id, 'member.reactivated', id, { apiKeysResumed });
    });
  }

  /** Locks the company: two admins who deactivate each other at once would leave none. */
  private change(
    viewer: Viewer,
    id: string,
    make: (tx: Transaction, member: Member) => Promise<void>,
  ): Promise<Member> {
    if (!isId(id)) throw notFound('member');
    return this.database.transaction(viewer.companyId, async (tx) => {
      await this.companies.lockOwn(tx);
      const [member] = await this.members.findMany(tx, [id]);
      if (!member) throw notFound('member');
      await make(tx, member);
      const [changed = member] = await this.members.findMany(tx, [id]);
      return changed;
    });
  }
}

function refused(message: string): DomainError {
  return new DomainError('CONFLICT', message);
}
