import { Injectable, type OnModuleInit } from '@nestjs/common';

import type { Assistant } from '../assistants/assistant.entity.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { singleLine } from '../common/text/data-text.js';
import { MembersService } from '../companies/members/members.service.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import type { Transaction } from '../database/transaction.js';
import { Approvals } from '../turns/approvals/approvals.service.js';
import type { TurnOutcome } from '../turns/claims/turn-outcome.js';
import { type AskedApproval, TurnHooks } from '../turns/turn-hooks.js';
import type { Turn } from '../turns/turn.entity.js';
import { beginningOf } from './beginning.js';
import { labelsFor, sayFailure } from './notification-labels.js';
import { NotificationsService } from './notifications.service.js';

const LONGEST_BODY = 200;
const LONGEST_NAME = 60;

/** Tells members what became of turns that nobody watches, and who is waited for. */
@Injectable()
export class TurnNotifications implements OnModuleInit {
  constructor(
    private readonly hooks: TurnHooks,
    private readonly notifications: NotificationsService,
    private readonly members: MembersService,
    private readonly conversations: ConversationsService,
    private readonly assistants: AssistantsService,
    private readonly approvals: Approvals,
  ) {}

  onModuleInit(): void {
    this.hooks.onEnded((tx, turn, outcome) => this.tellEnd(tx, turn, outcome));
    this.hooks.onConversationDeleted((tx, id) => this.notifications.deleteOf(tx, id));
    this.hooks.onApprovalRequested((tx, turn, approvals) => this.tellApprovers(tx, turn, approvals));
    this.hooks.onApprovalsClosed((tx, turn) => this.notifications.settleRequests(tx, turn.id));
  }

  /** Whoever waits in the foreground sees the end; whoever cancelled knows of it. */
  private async tellEnd(tx: Transaction, turn: Turn, outcome: TurnOutcome): Promise<void> {
    const { status, text } = outcome;
    // Nobody is waited for any more.
    if (turn.status === 'WAITING_FOR_APPROVAL') await this.notifications.settleRequests(tx, turn.id);
    if (status === 'CANCELLED' || !(await this.isUnwatched(tx, turn))) return;
    const { name, language } = await this.assistantOf(tx, turn);
    const labels = labelsFor(language);
    const completed = status === 'COMPLETED';
    await this.notifications.add(tx, {
      memberId: turn.memberId,
      kind: completed ? 'TURN_COMPLETED' : 'TURN_FAILED',
      title: completed ? labels.completed(name) : labels.failed(name),
      body: beginningOf(completed ? text : sayFailure(outcome, labels), LONGEST_BODY),
      turnId: turn.id,
    });
  }

  /** Nobody waits for hours in front of a turn that waits for somebody else. */
  private async isUnwatched(tx: Transaction, { id, backgroundAt, attempt }: Turn): Promise<boolean> {
    return backgroundAt !== null || (attempt > 1 && (await this.approvals.hasWaited(tx, id)));
  }

  /**
   * One notification for all that a turn waits for, to each who may answer some of it. The turn itself is the asker's
   * alone: to others it says whose it is.
   */
  private async tellApprovers(
    tx: Transaction,
    turn: Turn,
    approvals: readonly AskedApproval[],
  ): Promise<void> {
    const admins = await this.members.listAdminIds(tx);
    const asker = approvals.filter(({ askerMayApprove }) => askerMayApprove);
    const toldTo = new Map(admins.map((id) => [id, approvals]));
    if (!toldTo.has(turn.memberId) && asker.length > 0) toldTo.set(turn.memberId, asker);
    const { name, language } = await this.assistantOf(tx, turn);
    const labels = labelsFor(language);
    const askerName = singleLine((await this.members.get(tx, turn.memberId)).name, LONGEST_NAME) || null;
    await this.notifications.addAll(
      tx,
      [...toldTo].map(([memberId, asked]) => {
        const skills = asked.map(({ skill }) => skill);
        const whose = memberId === turn.memberId ? null : askerName;
        return {
          memberId,
          kind: 'APPROVAL_REQUESTED' as const,
          title: labels.approvalRequested(name),
          body: beginningOf(labels.skillsToAllow(skills, whose), LONGEST_BODY),
          turnId: turn.id,
        };
      }),
    );
  }

  private async assistantOf(tx: Transaction, turn: Turn): Promise<Assistant> {
    const { assistantId } = await this.conversations.get(tx, turn.memberId, turn.conversationId);
    return this.assistants.get(tx, assistantId);
  }
}
