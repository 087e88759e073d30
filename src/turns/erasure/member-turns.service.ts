import { Injectable, type OnModuleInit } from '@nestjs/common';

import { DomainError } from '../../common/errors/domain-error.js';
import { type MemberAddress, MemberData } from '../../companies/member-data/member-data.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { TurnsService } from '../turns.service.js';
import { MemberTurnRepository } from './member-turn.repository.js';

const AT_ONCE = 100;

/** Removes the conversations of members who are to be erased, with all that their turns keep. */
@Injectable()
export class MemberTurns implements OnModuleInit {
  constructor(
    private readonly data: MemberData,
    private readonly database: Database,
    private readonly turns: TurnsService,
    private readonly rows: MemberTurnRepository,
  ) {}

  onModuleInit(): void {
    this.data.onClearance((member, signal) => this.clear(member, signal));
    this.data.onLeaving((tx, memberId) => this.leave(tx, memberId));
  }

  private async clear(member: MemberAddress, signal: AbortSignal): Promise<void> {
    for (;;) {
      const ids = await this.database.read(member.companyId, (tx) =>
        this.rows.listConversations(tx, member.id, AT_ONCE),
      );
      if (ids.length === 0) return;
      for (const id of ids) {
        signal.throwIfAborted();
        await this.remove(member, id);
      }
    }
  }

  private async remove(member: MemberAddress, id: string): Promise<void> {
    try {
      await this.turns.deleteConversation(member, id);
    } catch (error) {
      // Somebody else has removed it meanwhile.
      if (!(error instanceof DomainError && error.code === 'NOT_FOUND')) throw error;
    }
  }

  /** Rejects when there is a conversation again: what its turns keep would be left behind. */
  private async leave(tx: Transaction, memberId: string): Promise<void> {
    const [conversation] = await this.rows.listConversations(tx, memberId, 1);
    if (conversation) throw new Error('A conversation was begun by a member who is being removed.');
    await this.rows.leaveApprovals(tx, memberId);
  }
}
