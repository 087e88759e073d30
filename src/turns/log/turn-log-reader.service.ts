import { Injectable } from '@nestjs/common';

import { ConversationsService } from '../../conversations/conversations.service.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import type { TurnEvent } from '../turn-event.js';
import { endedReplay } from './ended-replay.js';
import { EventRetentionRepository } from './retention/event-retention.repository.js';
import { type LogPage, type LogRequest, TurnEventRepository } from './turn-event.repository.js';

/** Turns' events as they are shown: where they are past their retention, what is still known of the turn's end. */
@Injectable()
export class TurnLogReader {
  constructor(
    private readonly database: Database,
    private readonly rows: TurnEventRepository,
    private readonly retention: EventRetentionRepository,
    private readonly conversations: ConversationsService,
  ) {}

  /** The events later than the position, at most `limit`, and how the turn stood by then. */
  async read(request: LogRequest, limit: number): Promise<LogPage> {
    const { companyId, turnId, after } = request;
    const page = await this.database.readAtOnce(companyId, (tx) => this.rows.read(tx, request, limit));
    const isPruned = page.state === 'ended' && page.events.length === 0 && after < page.lastSequence;
    if (!isPruned) return page;
    return { ...page, events: await this.database.read(companyId, (tx) => this.replay(tx, turnId, after)) };
  }

  private async replay(tx: Transaction, turnId: string, after: number): Promise<TurnEvent[]> {
    const turn = await this.retention.findTurn(tx, turnId);
    if (!turn) return [];
    return endedReplay(turn, await this.conversations.findMessageIn(tx, turn.answerId), after);
  }
}
