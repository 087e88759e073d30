import { Injectable } from '@nestjs/common';

import { badInput } from '../common/errors/domain-error.js';
import { LAST_ID } from '../common/ids.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { awaitAll, type Transaction } from '../platform/database/transaction.js';
import { Database } from '../platform/database/database.js';
import { DomainEvents } from '../platform/events/domain-events.js';
import type { Conversation } from './conversation.repository.js';
import { ConversationsService } from './conversations.service.js';
import { pathShown } from './conversations.events.js';
import type { Message } from './message.repository.js';
import { MessagePathRepository } from './message-path.repository.js';
import { type Fork, MessageTreeRepository, type PendingAnswer } from './message-tree.repository.js';

/** A conversation with more branches is not plausible, and each choice of a path reads them. */
export const MAX_BRANCHES = 500;

/** The position of a message: at the end of the shown path, or in a branch of its own. */
export type Position = { isAtEnd: true } | { isAtEnd: false; fork: Fork };

const END: Position = { isAtEnd: true };

/** Edited questions and regenerated answers are branches. Prompts, summaries and recall follow one path. */
@Injectable()
export class MessageTree {
  constructor(
    private readonly database: Database,
    private readonly conversations: ConversationsService,
    private readonly paths: MessagePathRepository,
    private readonly tree: MessageTreeRepository,
    private readonly events: DomainEvents,
  ) {}

  /** The position of a message after `parent`: a question, or another answer to it. */
  async after(
    tx: Transaction,
    conversation: Conversation,
    parent: Message,
    pending: readonly PendingAnswer[],
  ): Promise<Position> {
    const [head] = await this.paths.listLastShown(tx, conversation.id, 1);
    const isAnswered = !pending.some(({ questionId }) => questionId === parent.id);
    return parent.id === head?.id && isAnswered ? END : forkAfter(parent);
  }

  /** The position of another version of `question`, after the same previous messages. */
  async beside(tx: Transaction, question: Message, pending: readonly PendingAnswer[]): Promise<Position> {
    const [branch, [before]] = await awaitAll([
      this.tree.findBranch(tx, question.branchId),
      this.paths.listBefore(tx, { leaf: question.id, limit: 1 }),
    ]);
    // The previous message may be an answer that is not stored yet.
    const expected = pending.findLast(({ answerId }) => answerId < question.id)?.answerId;
    if (question.id === branch?.id) return { isAtEnd: false, fork: forkOf(branch) };
    const forkId = [before?.id, expected]
      .filter((id) => id !== undefined)
      .toSorted()
      .at(-1);
    return { isAtEnd: false, fork: forkId === undefined ? null : { branchId: question.branchId, forkId } };
  }

  /** `id`: that of the branch's first message, stored later. `conversation` is locked. Rejects with BAD_USER_INPUT. */
  async fork(tx: Transaction, conversation: Conversation, id: string, fork: Fork): Promise<void> {
    if ((await this.tree.countBranches(tx, conversation.id)) >= MAX_BRANCHES)
      throw badInput([], `A conversation has at most ${MAX_BRANCHES} branches. Begin a new one.`);
    await this.tree.addBranch(tx, conversation.id, id, fork);
    await this.show(tx, conversation.id, id);
  }

  /**
   * Removes the branch of an answer that never came, and shows the previous path again, which may end with a pending
   * answer. Questions asked meanwhile follow that one.
   */
  async giveUp(
    tx: Transaction,
    conversationId: string,
    { questionId, answerId }: PendingAnswer,
    pending: readonly PendingAnswer[],
  ): Promise<void> {
    const shown = await this.tree.findShownBranchId(tx, conversationId);
    if (await this.tree.removeEmptyBranch(tx, answerId)) {
      if (shown === answerId) await this.showNewest(tx, conversationId, questionId, pending);
      return;
    }
    const before = await this.tree.findNewest(tx, questionId, answerId, pending);
    const isMoved = before !== null && (await this.tree.moveFork(tx, answerId, before));
    if (isMoved && shown !== null) await this.show(tx, conversationId, shown);
  }

  async findParent(tx: Transaction, { id }: Message): Promise<Message | null> {
    const [parent] = await this.paths.listBefore(tx, { leaf: id, limit: 1 });
    return parent ?? null;
  }

  /** The messages before each of these, in the order of `ids`. The caller has checked access. */
  async findParents(viewer: Viewer, ids: readonly string[]): Promise<(Message | null)[]> {
    return this.database.read(viewer.companyId, async (tx) => {
      const parents = await this.tree.findParents(tx, ids);
      const byId = await this.byId(tx, parents.values());
      return ids.map((id) => byId.get(parents.get(id) ?? '') ?? null);
    });
  }

  /**
   * The newest question of this text after `parent`. Null: one that begins the conversation. The caller has checked
   * access.
   */
  findQuestionAfter(
    viewer: Viewer,
    conversation: Conversation,
    parent: Message | null,
    text: string,
  ): Promise<Message | null> {
    return this.database.read(viewer.companyId, async (tx) => {
      const ids = await this.tree.listQuestionsAfter(tx, conversation.id, parent, text);
      const found = await this.conversations.listByIds(tx, ids);
      return found.at(-1) ?? null;
    });
  }

  /** The versions of each message, including itself, oldest first. */
  async listVersions(viewer: Viewer, ids: readonly string[]): Promise<Message[][]> {
    return this.database.read(viewer.companyId, async (tx) => {
      const starts = await this.tree.listBranchStarts(tx, ids);
      const parents = await this.tree.findParents(tx, [...starts, ...ids]);
      const next = await this.tree.listNext(tx, [...new Set(ids.flatMap((id) => parents.get(id) ?? []))]);
      for (const [id, parent] of await this.tree.findParents(tx, next)) parents.set(id, parent);
      const found = await this.byId(tx, parents.keys());
      return ids.map((id) => {
        const isVersion = (other: Message): boolean =>
          parents.get(other.id) === parents.get(id) &&
          other.role === found.get(id)?.role &&
          other.conversationId === found.get(id)?.conversationId;
        return [...found.values()].filter(isVersion);
      });
    });
  }

  /** By id, in order of id. */
  private async byId(tx: Transaction, ids: Iterable<string | null>): Promise<Map<string, Message>> {
    const wanted = [...new Set(ids)].filter((id) => id !== null);
    const found = wanted.length === 0 ? [] : await this.conversations.listByIds(tx, wanted);
    return new Map(found.map((message) => [message.id, message]));
  }

  /** Shows the path through a message to the newest message after it, or to a `pending` answer. */
  async showNewest(
    tx: Transaction,
    conversationId: string,
    messageId: string,
    pending: readonly PendingAnswer[],
  ): Promise<void> {
    const newest = await this.tree.findNewest(tx, messageId, LAST_ID, pending);
    if (newest) await this.show(tx, conversationId, newest.branchId);
  }

  private async show(tx: Transaction, conversationId: string, branchId: string): Promise<void> {
    await this.tree.show(tx, conversationId, branchId);
    await this.events.emit(tx, pathShown, { conversationId });
  }
}

function forkAfter({ branchId, id: forkId }: Message): Position {
  return { isAtEnd: false, fork: { branchId, forkId } };
}

function forkOf({ parentId, forkId }: { parentId: string | null; forkId: string | null }): Fork {
  return parentId === null || forkId === null ? null : { branchId: parentId, forkId };
}
