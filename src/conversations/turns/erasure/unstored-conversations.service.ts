import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { z } from 'zod';

import type { Viewer } from '../../../companies/auth/viewer.js';
import { isTerminal } from '../turn-event.js';
import { TurnsService } from '../turns.service.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { defineJob, JobQueue } from '../../../platform/jobs/job-queue.js';

const Unstored = z.object({ companyId: z.uuid(), memberId: z.uuid(), conversationId: z.uuid() });

/** Removes a conversation that must not be stored, even if the process for it died. */
const removeUnstored = defineJob({
  name: 'remove-unstored',
  data: Unstored,
  keyOf: ({ conversationId }) => conversationId,
});

/** The time limit of its turns, including waits. */
const REMOVED_AFTER_SECONDS = 3_600;

type Owner = Pick<Viewer, 'id' | 'companyId'>;

/** Conversations that clients do not want stored. They are removed after the answer; their usage stays. */
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

  /** Schedules the removal of a conversation as a safeguard. */
  removeLater(tx: Transaction, { companyId, id: memberId }: Owner, conversationId: string): Promise<void> {
    const unstored = { companyId, memberId, conversationId };
    return this.jobs.enqueue(tx, removeUnstored, unstored, { startAfterSeconds: REMOVED_AFTER_SECONDS });
  }

  /** Removes a turn's conversation, unless the turn continues. */
  async removeAfter(viewer: Viewer, turnId: string): Promise<void> {
    const turn = await this.turns.find(viewer, turnId);
    if (turn && isTerminal(turn.status)) await this.remove(viewer, turn.conversationId);
  }

  remove(owner: Owner, conversationId: string): Promise<void> {
    return this.turns.deleteConversationIfThere(owner, conversationId);
  }
}
