import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { AssistantHooks } from '../../assistants/assistant-hooks.js';
import { Database } from '../../database/database.js';
import { JobQueue } from '../../jobs/job-queue.js';
import { ConversationRepository, FIRST_ID, type IndexedConversation } from '../conversation.repository.js';
import { indexConversations } from './index-conversations.job.js';
import { MessageIndex } from './message-index.service.js';

/** Conversations that are read at a time. */
const PAGE = 100;

/** Puts whole conversations into the index in the background, once their assistant is to recall them. */
@Injectable()
export class ConversationIndexing implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly conversations: ConversationRepository,
    private readonly index: MessageIndex,
    assistants: AssistantHooks,
  ) {
    assistants.onChanged(async (tx, before, after) => {
      if (before.recallsConversations || !after.recallsConversations) return;
      await this.jobs.enqueue(tx, indexConversations, { companyId: tx.companyId });
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(indexConversations, ({ companyId }, signal) => this.indexAll(companyId, signal));
  }

  /** In short transactions, each of which is kept: a round that is broken off goes on from where it was. */
  async indexAll(companyId: string, signal: AbortSignal): Promise<void> {
    for (let after = FIRST_ID; ;) {
      const page = await this.database.read(companyId, (tx) =>
        this.conversations.listUnindexed(tx, after, PAGE),
      );
      for (const conversation of page) await this.indexOne(companyId, conversation, signal);
      const last = page.at(-1);
      if (!last) return;
      after = last.id;
    }
  }

  private async indexOne(
    companyId: string,
    conversation: IndexedConversation,
    signal: AbortSignal,
  ): Promise<void> {
    for (let isMore = true; isMore;) {
      signal.throwIfAborted();
      isMore = await this.database.transaction(companyId, async (tx) => {
        // A turn's end would put in the same messages.
        const held = await this.conversations.lock(tx, conversation.memberId, conversation.id);
        return held !== null && this.index.putNew(tx, conversation);
      });
    }
  }
}
