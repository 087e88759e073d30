import { Injectable } from '@nestjs/common';

import type { Viewer } from '../auth/viewer.js';
import { badInput, notFound } from '../common/errors/domain-error.js';
import { isId } from '../common/ids.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import { Database } from '../database/database.js';
import { despiteDeadlock } from '../database/despite-deadlock.js';
import type { Transaction } from '../database/transaction.js';
import { TurnStreams } from './log/turn-streams.service.js';
import type { SkillCall } from './skill-calls/skill-call.entity.js';
import { SkillCallRepository } from './skill-calls/skill-call.repository.js';
import { TurnStops } from './claims/turn-stops.service.js';
import { isTerminal, type TurnEvent } from './turn-event.js';
import type { Turn } from './turn.entity.js';
import { TurnRepository } from './turn.repository.js';

/** A cancelled turn of this process ends within milliseconds; a client should not have to ask again for that. */
const CANCEL_GRACE_MS = 1_000;

/** Turns as their askers see them: to everybody else they do not exist. */
@Injectable()
export class TurnsService {
  constructor(
    private readonly database: Database,
    private readonly turns: TurnRepository,
    private readonly skillCalls: SkillCallRepository,
    private readonly conversations: ConversationsService,
    private readonly stops: TurnStops,
    private readonly streams: TurnStreams,
  ) {}

  find(viewer: Viewer, id: string): Promise<Turn | null> {
    return this.findMany(viewer, [id]).then(([turn]) => turn ?? null);
  }

  async findMany(viewer: Viewer, ids: readonly string[]): Promise<Turn[]> {
    const valid = ids.filter(isId);
    if (valid.length === 0) return [];
    return this.database.read(viewer.companyId, (tx) => this.turns.findMany(tx, viewer.id, valid));
  }

  async get(viewer: Viewer, id: string): Promise<Turn> {
    const turn = await this.find(viewer, id);
    if (!turn) throw notFound('turn');
    return turn;
  }

  /** The turns under way or waiting in conversations that the viewer has been given. */
  listUnfinished(viewer: Viewer, conversationIds: readonly string[]): Promise<Turn[]> {
    return this.database.read(viewer.companyId, (tx) => this.turns.listUnfinished(tx, conversationIds));
  }

  /** The skill calls of turns that the viewer has been given. */
  listSkillCalls(viewer: Viewer, turnIds: readonly string[]): Promise<SkillCall[]> {
    return this.database.read(viewer.companyId, (tx) => this.skillCalls.list(tx, turnIds));
  }

  /** The turn's events later than `after`. Rejects with NOT_FOUND or BAD_USER_INPUT before the first. */
  async events(viewer: Viewer, id: string, after: number): Promise<AsyncIterableIterator<TurnEvent>> {
    if (after < 0) throw badInput(['after'], 'A sequence is not negative.');
    if (!isId(id)) throw notFound('turn');
    return this.streams.openFor(viewer.id, { companyId: viewer.companyId, turnId: id }, after);
  }

  /** Ends the turn early; one that has ended stays as it is. Rejects with NOT_FOUND. */
  async cancel(viewer: Viewer, id: string): Promise<Turn> {
    const turn = await this.get(viewer, id);
    if (isTerminal(turn.status)) return turn;
    await this.database.transaction(viewer.companyId, (tx) => this.stops.stopAll(tx, [turn], 'CANCELLED'));
    await this.whenEnded([turn]);
    return this.get(viewer, id);
  }

  /** Removes a conversation and all its turns; those under way are cancelled. Rejects with NOT_FOUND. */
  async deleteConversation(viewer: Pick<Viewer, 'id' | 'companyId'>, id: string): Promise<string> {
    const unfinished = await this.holding(viewer, id, async (tx) => {
      const turns = await this.turns.listUnfinished(tx, [id]);
      await this.stops.stopAll(tx, turns, 'CANCELLED');
      return turns;
    });
    // Their subscribers are told of the end before there is nothing left to tell.
    await this.whenEnded(unfinished);
    await this.holding(viewer, id, async (tx) => {
      // Those whose owner does not answer, and questions that came meanwhile.
      await this.stops.clear(tx, id, 'CANCELLED');
      await this.conversations.delete(tx, viewer, id);
    });
    return id;
  }

  /** One in the background and one that somebody waits for may have events stored together, in any order. */
  private holding<T>(
    viewer: Pick<Viewer, 'id' | 'companyId'>,
    conversationId: string,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    return despiteDeadlock(() =>
      this.database.transaction(viewer.companyId, async (tx) => {
        await this.conversations.getLocked(tx, viewer, conversationId);
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
