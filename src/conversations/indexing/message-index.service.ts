import { Injectable, type OnModuleInit } from '@nestjs/common';

import { OncePerCompany } from '../../database/once-per-company.js';
import { together } from '../../database/together.js';
import type { Transaction } from '../../database/transaction.js';
import { JobQueue } from '../../jobs/job-queue.js';
import { SearchIndex } from '../../search/search-index.service.js';
import { SearchTexts } from '../../search/search-texts.js';
import { ConversationRepository, type IndexedConversation } from '../conversation.repository.js';
import type { Message } from '../message.entity.js';
import { MessageRepository } from '../message.repository.js';
import { indexConversations } from './index-conversations.job.js';
import { messageScopeOf, searchedText } from './message-scope.js';

export type IndexableMessage = Pick<Message, 'id' | 'author' | 'text'>;

/** What of a turn tells where its messages are. */
export interface IndexedTurn {
  conversationId: string;
  memberId: string;
  questionId: string;
  answerId: string;
}

/** Messages of a conversation that one round puts into the index at most: what is left follows in the next. */
const ROUND = 200;

/** Has messages found by their words. What was not said to its end, as an answer that failed, is left out. */
@Injectable()
export class MessageIndex implements OnModuleInit {
  /** A company may have conversations from before they could be recalled. */
  private readonly earlier = new OncePerCompany((tx) =>
    this.jobs.enqueue(tx, indexConversations, { companyId: tx.companyId }),
  );

  constructor(
    private readonly index: SearchIndex,
    private readonly texts: SearchTexts,
    private readonly conversations: ConversationRepository,
    private readonly messages: MessageRepository,
    private readonly jobs: JobQueue,
  ) {}

  onModuleInit(): void {
    this.texts.register('MESSAGE', async (tx, ids) => {
      const found = await this.messages.findMany(tx, ids);
      return new Map(found.map((message) => [message.id, searchedText(message)]));
    });
  }

  put(
    tx: Transaction,
    { id: groupId, memberId }: IndexedConversation,
    messages: readonly IndexableMessage[],
  ): Promise<void> {
    const items = messages.map((message) => ({ id: message.id, groupId, text: searchedText(message) }));
    return this.index.put(tx, messageScopeOf(memberId), items);
  }

  /**
   * Puts in what a turn of a conversation that `tx` holds has left, with what earlier ones left that did not get to
   * their end.
   */
  async putTurn(tx: Transaction, turn: IndexedTurn): Promise<void> {
    await this.earlier.ensure(tx);
    const { conversationId: id, memberId, questionId, answerId } = turn;
    await this.putNew(tx, { id, memberId }, [questionId, answerId]);
  }

  /**
   * Puts in what is new in a conversation that `tx` holds, a round of it, and what else is named by `ids`: an answer
   * that was worked on in the background comes after those to later questions. False: there was nothing left.
   */
  async putNew(
    tx: Transaction,
    conversation: IndexedConversation,
    ids: readonly string[] = [],
  ): Promise<boolean> {
    const messages = await this.messages.listUnindexed(tx, conversation.id, ids, ROUND);
    const until = messages.findLast(({ isNew }) => isNew)?.id;
    const said = messages.filter(({ isRecalled }) => isRecalled);
    await together([
      said.length === 0 ? null : this.put(tx, conversation, said),
      until === undefined ? null : this.conversations.keepIndexed(tx, conversation.id, until),
    ]);
    return until !== undefined;
  }

  remove(tx: Transaction, memberId: string, ids: readonly string[]): Promise<void> {
    return this.index.remove(tx, messageScopeOf(memberId), ids);
  }

  removeConversation(tx: Transaction, { id, memberId }: IndexedConversation): Promise<void> {
    return this.index.removeGroup(tx, messageScopeOf(memberId), id);
  }

  /** How much of a conversation the compact index has taken in, 0 to 1. */
  progress(tx: Transaction, { id, memberId }: IndexedConversation): Promise<number> {
    return this.index.progress(tx, messageScopeOf(memberId), id);
  }
}
