import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { LOGGER, type Logger } from '../../common/process/logger.js';
import { Database } from '../../database/database.js';
import { patiently } from '../../database/patiently.js';
import { together } from '../../database/together.js';
import type { Transaction } from '../../database/transaction.js';
import { eventOf, type PlanDecision, type TurnEntry, type TurnEvent } from '../turn-event.js';
import type { Claim } from '../turn.repository.js';
import type { StoredModelCall } from '../model-calls/model-call.js';
import { GroupCommit } from './writing/group-commit.js';
import { TurnAnnouncements } from './turn-announcements.service.js';
import { type Append, TurnEventRepository } from './turn-event.repository.js';
import { TurnFeed } from './turn-feed.js';
import { TurnRecords } from './turn-records.service.js';
import { TurnWriter } from './writing/turn-writer.js';

/** A write came too late: the turn has ended, is gone, or another attempt has it. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

type Failure = { error: unknown };

/** The events of turns, stored before anybody sees them: what a client was shown, a resume can show again. */
@Injectable()
export class TurnLog implements OnApplicationShutdown {
  private readonly group = new GroupCommit((parts) => this.store(parts));
  private readonly stopping = new AbortController();

  constructor(
    private readonly database: Database,
    private readonly rows: TurnEventRepository,
    private readonly records: TurnRecords,
    private readonly feed: TurnFeed,
    private readonly announcements: TurnAnnouncements,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** For the owner of `claim`: what it writes is stored together with what the other turns have to tell. */
  writer(claim: Claim, lastSequence: number): TurnWriter {
    return new TurnWriter(claim, lastSequence, this.group);
  }

  /** What the owners of a turn have decided so far, in order. */
  listDecisions(tx: Transaction, turnId: string): Promise<PlanDecision[]> {
    return this.rows.listDecisions(tx, turnId);
  }

  /** Runs `work`, which changes the rows of many turns, while no batch of events does. */
  betweenCommits<T>(work: () => Promise<T>): Promise<T> {
    return this.group.inLine(work);
  }

  /** Stores `entries` after `before` as part of `tx`; they are shown once it is committed. Rejects with ClaimLost. */
  async append(
    tx: Transaction,
    claim: Claim,
    before: number,
    entries: readonly TurnEntry[],
    calls: readonly StoredModelCall[] = [],
  ): Promise<void> {
    if (entries.length === 0) return;
    const part = { claim, before, entries, calls };
    const at = new Date();
    // What follows the first is undone with the transaction where the claim is lost.
    await together([
      this.appendOwn(tx, part, at),
      this.records.keepUp(tx, [part], at),
      this.announcements.announce(tx, [part]),
    ]);
    tx.afterCommit(() => this.feed.stored(claim.turnId, eventsOf(part, at)));
  }

  /**
   * What withdraws the text that an attempt which broke off has shown; nothing where none is shown. To be asked for by
   * who holds the turn, so that nothing is added meanwhile.
   */
  async withdrawal(tx: Transaction, turnId: string): Promise<TurnEntry[]> {
    return (await this.rows.showsText(tx, turnId)) ? [{ type: 'text-reset', cause: 'RETRIED' }] : [];
  }

  /** Removes the logs of a conversation's turns, which are all at their end. */
  async deleteOf(tx: Transaction, conversationId: string): Promise<void> {
    await together([this.rows.deleteOf(tx, conversationId), this.records.deleteOf(tx, conversationId)]);
  }

  onApplicationShutdown(): void {
    this.stopping.abort(new Error('The process is stopping.'));
  }

  /** Stores all parts together; where they cannot be, each by itself, so that one does no harm to the others. */
  private async store(parts: readonly Append[]): Promise<(Failure | null)[]> {
    try {
      const stored = await patiently(() => this.storeTogether(parts), this.stopping.signal);
      const outcomes: (Failure | null)[] = [];
      for (const part of parts) {
        outcomes.push(stored.has(part.claim.turnId) ? null : await this.findFailure(part));
      }
      return outcomes;
    } catch (error) {
      if (parts.length === 1) return [{ error }];
      this.logger.warn(
        { err: error, turns: parts.length },
        'events of several turns could not be stored together',
      );
      const outcomes: (Failure | null)[] = [];
      for (const part of parts) outcomes.push(...(await this.store([part])));
      return outcomes;
    }
  }

  private storeTogether(parts: readonly Append[]): Promise<Set<string>> {
    const options = { ahead: true, atOnce: true };
    return this.database.systemTransaction((tx) => this.appendAll(tx, parts), options);
  }

  /** Why a part was not stored just now. Null: it had been, by a commit whose answer was lost. */
  private async findFailure({ claim, before, entries }: Append): Promise<Failure | null> {
    const standing = await patiently(
      () => this.database.systemTransaction((tx) => this.rows.standing(tx, claim), { ahead: true }),
      this.stopping.signal,
    );
    if (standing !== 'lost' && standing.lastSequence === before + entries.length) {
      this.feed.lookAgain(claim.turnId);
      return null;
    }
    return { error: claimLost(claim) };
  }

  private async appendOwn(tx: Transaction, part: Append, at: Date): Promise<void> {
    const stored = await this.rows.append(tx, [part], at);
    if (stored.size > 0) return;
    // It may have been stored just now, by a commit whose answer was lost: nobody else tells those who listen here.
    this.feed.lookAgain(part.claim.turnId);
    throw claimLost(part.claim);
  }

  private async appendAll(tx: Transaction, parts: readonly Append[]): Promise<Set<string>> {
    const at = new Date();
    const [stored] = await together([
      this.rows.append(tx, parts, at),
      this.records.keepUp(tx, parts, at),
      this.announcements.announce(tx, parts),
    ]);
    tx.afterCommit(() => {
      for (const part of parts) {
        if (stored.has(part.claim.turnId)) this.feed.stored(part.claim.turnId, eventsOf(part, at));
      }
    });
    return stored;
  }
}

const claimLost = ({ turnId, attempt }: Claim): ClaimLost =>
  new ClaimLost(`The turn ${turnId} is no longer attempt ${attempt}’s.`);

const eventsOf = ({ claim, before, entries }: Append, at: Date): TurnEvent[] =>
  entries.map((entry, index) => ({
    turnId: claim.turnId,
    sequence: before + index + 1,
    at,
    ...eventOf(entry),
  }));
