import { Injectable, type OnModuleInit } from '@nestjs/common';

import { type MemberAddress, MemberData } from '../../../companies/members/member-data.js';
import { memberLeaving } from '../../../companies/companies.events.js';
import { Database } from '../../../platform/database/database.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { DomainEvents } from '../../../platform/events/domain-events.js';
import { TurnsService } from '../turns.service.js';
import { ErasureRepository } from './erasure.repository.js';

const AT_ONCE = 100;

/** Removes the conversations of members who are being erased, with everything that their turns store. */
@Injectable()
export class MemberTurns implements OnModuleInit {
  constructor(
    private readonly data: MemberData,
    private readonly events: DomainEvents,
    private readonly database: Database,
    private readonly turns: TurnsService,
    private readonly erasures: ErasureRepository,
  ) {}

  onModuleInit(): void {
    this.data.onClearance((member, signal) => this.clear(member, signal));
    this.events.on(memberLeaving, (tx, memberId) => this.leave(tx, memberId));
  }

  private async clear(member: MemberAddress, signal: AbortSignal): Promise<void> {
    for (;;) {
      const ids = await this.database.read(member.companyId, (tx) =>
        this.erasures.listConversationsOf(tx, member.id, AT_ONCE),
      );
      if (ids.length === 0) return;
      for (const id of ids) {
        signal.throwIfAborted();
        await this.turns.deleteConversationIfThere(member, id);
      }
    }
  }

  /** Rejects when a new conversation exists, whose turns would be left behind. */
  private async leave(tx: Transaction, memberId: string): Promise<void> {
    const [conversation] = await this.erasures.listConversationsOf(tx, memberId, 1);
    if (conversation) throw new Error('A conversation was begun by a member who is being removed.');
    await this.erasures.forgetApprover(tx, memberId);
  }
}
