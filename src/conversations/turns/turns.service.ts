import { Injectable } from '@nestjs/common';

import { badInput, DomainError, existing, notFound } from '../../common/errors/domain-error.js';
import { isId } from '../../common/ids.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { DocumentRemoval } from '../../documents/document-removal.service.js';
import { Database } from '../../platform/database/database.js';
import { retryOnDeadlock } from '../../platform/database/retry-on-deadlock.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { Conversation } from '../conversation.repository.js';
import { ConversationsService } from '../conversations.service.js';
import { MessageTree } from '../message-tree.service.js';
import { TurnEnds } from './claims/turn-ends.service.js';
import { TurnStreams } from './log/turn-streams.service.js';
import type { SkillCall } from './skill-call.entity.js';
import { SkillCallRepository } from './skill-call.repository.js';
import { isTerminal, type TurnEvent } from './turn-event.js';
import type { Turn } from './turn.entity.js';
import { TurnRepository } from './turn.repository.js';

/** How long `cancel` waits for the turn's end, so that clients need not ask again. Usually it takes milliseconds. */
const CANCEL_GRACE_MS = 1_000;

/** Each costs some statements of one transaction. */
export const MAX_DELETED = 100;

type Owner = Pick<Viewer, 'id' | 'companyId'>;

/** Turns for the members who asked. For others they do not exist. */
@Injectable()
export class TurnsService {
  constructor(
    private readonly database: Database,
    private readonly turns: TurnRepository,
    private readonly skillCalls: SkillCallRepository,
    private readonly conversations: ConversationsService,
    private readonly tree: MessageTree,
    private readonly ends: TurnEnds,
    private readonly streams: TurnStreams,
    private readonly files: DocumentRemoval,
  ) {}

  find(viewer: Viewer, id: string): Promise<Turn | null> {
    return this.findMany(viewer, [id]).then(([turn]) => turn ?? null);
  }

  async findMany(viewer: Viewer, ids: readonly string[]): Promise<Turn[]> {
    const valid = ids.filter(isId);
    if (valid.length === 0) return [];
    return this.database.read(viewer.companyId, (tx) =>
      this.turns.list(tx, { memberId: viewer.id, id: valid }),
    );
  }

  async get(viewer: Viewer, id: string): Promise<Turn> {
    return existing(await this.find(viewer, id), 'turn');
  }

  /** The viewer's turn that was started with this idempotency key. */
  findStarted(viewer: Viewer, idempotencyKey: string): Promise<Turn | null> {
    return this.database.read(viewer.companyId, (tx) =>
      this.turns.find(tx, { memberId: viewer.id, idempotencyKey }),
    );
  }

  /** Unfinished turns of these conversations. The caller has checked access to the conversations. */
  listUnfinished(viewer: Viewer, conversationIds: readonly string[]): Promise<Turn[]> {
    return this.database.read(viewer.companyId, (tx) => this.turns.listUnfinished(tx, conversationIds));
  }

  /** The skill calls of these turns. The caller has checked access to the turns. */
  listSkillCalls(viewer: Viewer, turnIds: readonly string[]): Promise<SkillCall[]> {
    return this.database.read(viewer.companyId, (tx) => this.skillCalls.list(tx, turnIds));
  }

  /** The skills with results in these turns, each once per turn. The caller has checked access to the turns. */
  listAnsweredSkills(
    viewer: Viewer,
    turnIds: readonly string[],
  ): Promise<{ turnId: string; skill: string }[]> {
    return this.database.read(viewer.companyId, (tx) => this.skillCalls.listAnswered(tx, turnIds));
  }

  /** The turn's events later than `after`. Rejects with NOT_FOUND or BAD_USER_INPUT before the first. */
  async events(viewer: Viewer, id: string, after: number): Promise<AsyncIterableIterator<TurnEvent>> {
    if (after < 0) throw badInput(['after'], 'A sequence is not negative.');
    if (!isId(id)) throw notFound('turn');
    return this.streams.open(viewer.id, { companyId: viewer.companyId, turnId: id }, after);
  }

  /** Ends the turn early. An ended turn stays as it is. Rejects with NOT_FOUND. */
  async cancel(viewer: Viewer, id: string): Promise<Turn> {
    const turn = await this.get(viewer, id);
    if (isTerminal(turn.status)) return turn;
    await this.database.transaction(viewer.companyId, (tx) => this.ends.stopAll(tx, [turn], 'CANCELLED'));
    await this.whenEnded([turn]);
    return this.get(viewer, id);
  }

  /** Shows the path through a message of the viewer to the newest one, or a pending answer. Rejects with NOT_FOUND. */
  async selectMessage(viewer: Viewer, id: string): Promise<Conversation> {
    return this.database.transaction(viewer.companyId, async (tx) => {
      const { conversationId } = await this.conversations.getOwnMessage(tx, viewer, id, ['id']);
      await this.conversations.getLocked(tx, viewer, conversationId);
      await this.tree.showNewest(
        tx,
        conversationId,
        id,
        await this.turns.listUnfinished(tx, [conversationId]),
      );
      await this.conversations.announce(tx, { memberId: viewer.id, conversationId });
      return this.conversations.get(tx, viewer.id, conversationId);
    });
  }

  /** Removes a conversation and all its turns; those under way are cancelled. Rejects with NOT_FOUND. */
  async deleteConversation(viewer: Owner, id: string): Promise<string> {
    await this.deleteAll(viewer, new Map([[id, []]]));
    return id;
  }

  /** The same for a conversation that may be deleted already. */
  async deleteConversationIfThere(viewer: Owner, id: string): Promise<void> {
    try {
      await this.deleteConversation(viewer, id);
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'NOT_FOUND')) throw error;
    }
  }

  /** Removes conversations as `deleteConversation` does: all of them, or none. Rejects with NOT_FOUND or BAD_USER_INPUT. */
  async deleteConversations(viewer: Owner, ids: readonly string[]): Promise<string[]> {
    if (ids.length > MAX_DELETED)
      throw badInput(['ids'], `At most ${MAX_DELETED} conversations are deleted at a time.`);
    const paths = new Map(ids.map((id, index) => [id, ['ids', String(index)]]));
    await this.deleteAll(viewer, paths);
    return [...paths.keys()];
  }

  /** `paths`: the arguments that name the conversations, by id. */
  private async deleteAll(viewer: Owner, paths: ReadonlyMap<string, readonly string[]>): Promise<void> {
    const ids = [...paths.keys()].toSorted();
    const unfinished = await this.holding(viewer, paths, async (tx) => {
      const turns = await this.turns.listUnfinished(tx, ids);
      await this.ends.stopAll(tx, turns, 'CANCELLED');
      return turns;
    });
    // Subscribers get TurnDone before the turns are removed.
    await this.whenEnded(unfinished);
    await this.holding(viewer, paths, async (tx) => {
      for (const id of ids) {
        // Ends turns whose owner does not react, and new ones.
        await this.ends.clear(tx, id, 'CANCELLED');
        await this.files.removeOfConversation(tx, id);
        await this.conversations.delete(tx, viewer, id);
      }
    });
  }

  /** Retries on deadlocks with group commits, which lock turns in any order. */
  private holding<T>(
    viewer: Owner,
    paths: ReadonlyMap<string, readonly string[]>,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    return retryOnDeadlock(() =>
      this.database.transaction(viewer.companyId, async (tx) => {
        for (const id of [...paths.keys()].toSorted())
          await this.conversations.getLocked(tx, viewer, id, paths.get(id));
        return work(tx);
      }),
    );
  }

  private async whenEnded(turns: readonly Turn[]): Promise<void> {
    await Promise.all(
      turns.map(({ companyId, id: turnId, lastSequence }) =>
        this.streams.whenEnded({ companyId, turnId }, lastSequence, CANCEL_GRACE_MS),
      ),
    );
  }
}
