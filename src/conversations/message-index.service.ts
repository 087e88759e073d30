import { Injectable, type OnModuleInit, type OnApplicationBootstrap } from '@nestjs/common';
import { z } from 'zod';

import { NIL_ID } from '../common/ids.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { assistantChanged } from '../companies/companies.events.js';
import { SearchIndex } from '../documents/search-index/search-index.service.js';
import { SearchTexts } from '../documents/search-index/search-texts.js';
import type { SearchScope } from '../documents/search-index/search.js';
import { awaitAll, type Transaction } from '../platform/database/transaction.js';
import { Database } from '../platform/database/database.js';
import { OncePerCompany } from '../platform/database/rows.js';
import { DomainEvents } from '../platform/events/domain-events.js';
import { defineJob, JobQueue } from '../platform/jobs/job-queue.js';
import { ConversationRepository, type IndexedConversation } from './conversation.repository.js';
import { conversationDeleted, messagesWithheld } from './conversations.events.js';
import { type Message, MessageRepository } from './message.repository.js';

type IndexableMessage = Pick<Message, 'id' | 'author' | 'text'>;

interface IndexedTurn {
  conversationId: string;
  memberId: string;
  questionId: string;
  answerId: string;
}

/** The most messages that are indexed at once. The rest follows. */
const BATCH_MESSAGES = 200;

const Unindexed = z.object({ companyId: z.uuid() });

/** Indexes a company's messages from before recall was switched on. */
export const indexConversations = defineJob({
  name: 'index-conversations',
  data: Unindexed,
  keyOf: ({ companyId }) => companyId,
  // An interrupted run resumes where it stopped.
  maxSeconds: 600,
  atATime: 1,
  workers: { all: 2, ofOneCompany: 1, companyOf: ({ companyId }) => companyId },
});

/** Keeps messages in the search index. Answers that failed are left out. */
@Injectable()
export class MessageIndex implements OnModuleInit {
  /** Enqueues the indexing of earlier conversations, once per company and process. */
  private readonly backfill = new OncePerCompany((tx) =>
    this.jobs.enqueue(tx, indexConversations, { companyId: tx.companyId }),
  );

  constructor(
    private readonly database: Database,
    private readonly index: SearchIndex,
    private readonly texts: SearchTexts,
    private readonly conversations: ConversationRepository,
    private readonly messages: MessageRepository,
    private readonly jobs: JobQueue,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.texts.register('MESSAGE', async (tx, ids) => {
      const found = await this.messages.list(tx, { id: ids });
      return new Map(found.map((message) => [message.id, searchedText(message)]));
    });
    this.events.on(messagesWithheld, (tx, { memberId, ids }) =>
      this.index.remove(tx, messageScopeOf(memberId), ids),
    );
    this.events.on(conversationDeleted, (tx, { id, memberId }) =>
      this.index.removeGroup(tx, messageScopeOf(memberId), id),
    );
  }

  put(
    tx: Transaction,
    { id: groupId, memberId }: IndexedConversation,
    messages: readonly IndexableMessage[],
  ): Promise<void> {
    const items = messages.map((message) => ({ id: message.id, groupId, text: searchedText(message) }));
    return this.index.put(tx, messageScopeOf(memberId), items);
  }

  /** A turn's messages, and those of earlier turns that were not indexed. `tx` holds the conversation. */
  async putTurn(tx: Transaction, turn: IndexedTurn): Promise<void> {
    await this.backfill.ensure(tx);
    const { conversationId: id, memberId, questionId, answerId } = turn;
    await this.putNew(tx, { id, memberId }, [questionId, answerId]);
  }

  /** Indexes one batch and `ids`, as background answers come late. False: nothing was left. `tx` holds the lock. */
  async putNew(
    tx: Transaction,
    conversation: IndexedConversation,
    ids: readonly string[] = [],
  ): Promise<boolean> {
    const messages = await this.messages.listUnindexed(tx, conversation.id, ids, BATCH_MESSAGES);
    const until = messages.findLast(({ isNew }) => isNew)?.id;
    const said = messages.filter(({ isRecalled }) => isRecalled);
    await awaitAll([
      said.length === 0 ? null : this.put(tx, conversation, said),
      until === undefined
        ? null
        : this.conversations.update(tx, { id: conversation.id }, { indexedUntil: until }),
    ]);
    return until !== undefined;
  }

  /** The indexed part of each conversation, 0 to 1, in the order of `ids`. 0 without recall. */
  async progress(viewer: Viewer, ids: readonly string[]): Promise<number[]> {
    return this.database.read(viewer.companyId, async (tx) => {
      const found = await this.conversations.list(tx, { memberId: viewer.id, id: ids });
      const indexed = found.filter(({ indexedUntil }) => indexedUntil !== null);
      const scope = messageScopeOf(viewer.id);
      const progress = await awaitAll(indexed.map(({ id }) => this.index.progress(tx, scope, id)));
      const byId = new Map(indexed.map(({ id }, index) => [id, progress[index] ?? 0]));
      return ids.map((id) => byId.get(id) ?? 0);
    });
  }
}

export function messageScopeOf(memberId: string): SearchScope {
  return {
    collection: 'MESSAGE',
    ownerId: memberId,
  };
}

/** A message's text for the index, with its author, as people search for names. */
export function searchedText({ author, text }: Pick<Message, 'author' | 'text'>): string {
  return author === null ? text : `${author}: ${text}`;
}

const PAGE = 100;

/** Indexes existing conversations in the background after their assistant's recall is switched on. */
@Injectable()
export class ConversationIndexing implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly conversations: ConversationRepository,
    private readonly index: MessageIndex,
    events: DomainEvents,
  ) {
    events.on(assistantChanged, async (tx, { before, after }) => {
      if (before.recallsConversations || !after.recallsConversations) return;
      await this.jobs.enqueue(tx, indexConversations, { companyId: tx.companyId });
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(indexConversations, ({ companyId }, signal) => this.indexAll(companyId, signal));
  }

  /** Works in short transactions, so that an interrupted run resumes where it stopped. */
  async indexAll(companyId: string, signal: AbortSignal): Promise<void> {
    for (let after = NIL_ID; ;) {
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
        // Locked, as a turn's end would index the same messages.
        const held = await this.conversations.lock(tx, {
          memberId: conversation.memberId,
          id: conversation.id,
        });
        return held !== null && this.index.putNew(tx, conversation);
      });
    }
  }
}
