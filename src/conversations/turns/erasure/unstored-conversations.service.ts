import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { z } from 'zod';

import { DomainError } from '../../../common/errors/domain-error.js';
import type { Viewer } from '../../../companies/auth/viewer.js';
import { isTerminal } from '../turn-event.js';
import { TurnsService } from '../turns.service.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { defineJob, JobQueue } from '../../../platform/jobs/job-queue.js';

const Unstored = z.object({ companyId: z.uuid(), memberId: z.uuid(), conversationId: z.uuid() });

/** Removes a conversation that is not to be stored, also when the process that would have done so has died. */
export const removeUnstored = defineJob({
  name: 'remove-unstored',
  data: Unstored,
  keyOf: ({ conversationId }) => conversationId,
});

/** Its turns have so long, what they wait for included. */
const REMOVED_AFTER_SECONDS = 3_600;

type Owner = Pick<Viewer, 'id' | 'companyId'>;

/** Conversations that their clients do not want to be stored: they are gone once answered. Their usage stays. */
@Injectable()
export class UnstoredConversations implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: JobQueue,
    private readonly turns: TurnsService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(removeUnstored, ({ companyId, memberId, conversationId }) =>
      this.remove({ companyId, id: memberId }, conversationId),
    );
  }

  /** Has a conversation removed in any case, later. */
  removeLater(tx: Transaction, { companyId, id: memberId }: Owner, conversationId: string): Promise<void> {
    const unstored = { companyId, memberId, conversationId };
    return this.jobs.enqueue(tx, removeUnstored, unstored, { startAfterSeconds: REMOVED_AFTER_SECONDS });
  }

  /** Removes a turn's conversation, unless the turn goes on. */
  async removeAfter(viewer: Viewer, turnId: string): Promise<void> {
    const turn = await this.turns.find(viewer, turnId);
    if (turn && isTerminal(turn.status)) await this.remove(viewer, turn.conversationId);
  }

  async remove(owner: Owner, conversationId: string): Promise<void> {
    try {
      await this.turns.deleteConversation(owner, conversationId);
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'NOT_FOUND')) throw error;
    }
  }
}
