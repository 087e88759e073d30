import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { ConversationsService } from '../../conversations.service.js';
import type { TurnAddress } from '../claims/turn-claim.js';
import type { TurnEvent } from '../turn-event.js';
import { replayEndedTurn } from './ended-replay.js';
import { type LogPage, type LogRequest, TurnEventRepository } from './turn-event.repository.js';
import { TurnEvents } from './turn-events.js';
import { TurnFeed } from './turn-feed.js';

/** Opens streams of turns' events. After the retention, replays what is known of an ended turn. */
@Injectable()
export class TurnStreams {
  constructor(
    private readonly database: Database,
    private readonly rows: TurnEventRepository,
    private readonly conversations: ConversationsService,
    private readonly feed: TurnFeed,
  ) {}

  /**
   * The events of a member's turn later than `after`, up to TurnDone. The caller must use it up or call its return().
   * Rejects with NOT_FOUND when the turn is not theirs.
   */
  open(memberId: string, turn: TurnAddress, after: number): Promise<TurnEvents> {
    return new TurnEvents(this, this.feed, turn, after).begin(memberId);
  }

  /** Resolves when the turn has ended, after `timeoutMs`, or when reading fails; never rejects. */
  async whenEnded(turn: TurnAddress, after: number, timeoutMs: number): Promise<void> {
    const stream = new TurnEvents(this, this.feed, turn, after);
    const timer = setTimeout(() => void stream.return(), timeoutMs);
    try {
      while (!(await stream.next()).done);
    } catch {
      // The caller goes on to query the database, and gets its error there.
    } finally {
      clearTimeout(timer);
    }
  }

  async read(request: LogRequest, limit: number): Promise<LogPage> {
    const { companyId, turnId, after } = request;
    const page = await this.database.readAtOnce(companyId, (tx) => this.rows.read(tx, request, limit));
    const isPruned = page.state === 'ended' && page.events.length === 0 && after < page.lastSequence;
    if (!isPruned) return page;
    return {
      ...page,
      events: await this.database.read(companyId, (tx) => this.replay(tx, turnId, after, limit)),
    };
  }

  private async replay(tx: Transaction, turnId: string, after: number, limit: number): Promise<TurnEvent[]> {
    const turn = await this.rows.findTurnWithPieces(tx, turnId);
    if (!turn) return [];
    return replayEndedTurn(turn, await this.conversations.findMessageIn(tx, turn.answerId), after, limit);
  }
}
