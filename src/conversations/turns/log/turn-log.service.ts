import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Pause } from '@palabre/async';

import { LOGGER, type Logger } from '../../../common/process/logger.js';
import { awaitAll, type Transaction } from '../../../platform/database/transaction.js';
import { Database } from '../../../platform/database/database.js';
import { retryUntilConnected } from '../../../platform/database/retry-until-connected.js';
import type { Claim } from '../claims/turn-claim.js';
import type { StoredModelCall } from '../model-calls/model-call.js';
import type { TurnEntry } from '../turn-event.js';
import type { Turn } from '../turn.entity.js';
import { TurnAnnouncements } from './turn-announcements.service.js';
import { type Append, TurnEventRepository } from './turn-event.repository.js';
import { eventsOf, TurnFeed } from './turn-feed.js';
import { TurnRecords } from './turn-records.service.js';
import { GroupCommit, TurnWriter } from './turn-writer.js';

/** Thrown by writes to a turn that has ended, is gone, or belongs to another attempt. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

type Failure = { error: unknown };

/** Stores the events of turns before anybody sees them, so that a resume can replay them. */
@Injectable()
export class TurnLog implements OnApplicationShutdown {
  private readonly group = new GroupCommit((parts) => this.store(parts));
  private readonly stopping = new AbortController();
  /** The pause between attempts while the database is unreachable; undefined: the default. */
  protected readonly pause: Pause | undefined;

  constructor(
    private readonly database: Database,
    private readonly rows: TurnEventRepository,
    private readonly records: TurnRecords,
    private readonly feed: TurnFeed,
    private readonly announcements: TurnAnnouncements,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * The caller must close it. Its writes are committed together with those of other turns. `opening`: events that
   * were stored with the turn and are published from now on.
   */
  writer(
    claim: Claim,
    { memberId, lastSequence, createdAt }: Pick<Turn, 'memberId' | 'lastSequence' | 'createdAt'>,
    opening: readonly TurnEntry[] = [],
  ): TurnWriter {
    const { turnId } = claim;
    const release = this.feed.keep(claim, memberId);
    this.feed.publish(turnId, eventsOf(turnId, { before: 0, entries: opening }, createdAt));
    return new TurnWriter(claim, lastSequence, {
      offer: (writer, urgent) => this.group.offer(writer, urgent),
      leave: (writer) => {
        this.group.leave(writer);
        release();
      },
    });
  }

  /** The duration of the current commit. Null: none. */
  get storingForMs(): number | null {
    return this.group.committingForMs;
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
    // If the first statement finds the claim lost, the transaction undoes the others.
    await awaitAll([
      this.appendOne(tx, part, at),
      this.records.applyEntries(tx, [part], at),
      this.announcements.announce(tx, [part]),
    ]);
    tx.afterCommit(() => this.feed.stored(claim.turnId, eventsOf(claim.turnId, part, at)));
  }

  /** Withdraws the text of an attempt that broke off, if any is shown. The caller must hold the turn's row. */
  async withdrawShownText(tx: Transaction, turnId: string): Promise<TurnEntry[]> {
    return (await this.rows.showsText(tx, turnId)) ? [{ type: 'text-reset', cause: 'RETRIED' }] : [];
  }

  /** Removes the logs of a conversation's turns, all of which have ended. */
  deleteOf(tx: Transaction, conversationId: string): Promise<void> {
    return this.rows.deleteOf(tx, conversationId);
  }

  onApplicationShutdown(): void {
    this.stopping.abort(new Error('The process is stopping.'));
  }

  /** Stores all parts in one transaction. If that fails, each by itself, so that a bad one does not affect the others. */
  private async store(parts: readonly Append[]): Promise<(Failure | null)[]> {
    try {
      const stored = await retryUntilConnected(() => this.storeAll(parts), this.stopping.signal, this.pause);
      const outcomes: (Failure | null)[] = [];
      for (const part of parts)
        outcomes.push(stored.has(part.claim.turnId) ? null : await this.findFailure(part));
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

  private storeAll(parts: readonly Append[]): Promise<Set<string>> {
    const options = { ahead: true, atOnce: true };
    return this.database.systemTransaction((tx) => this.appendAll(tx, parts), options);
  }

  /** Why a part was not stored. Null: an earlier commit stored it, but its response was lost. */
  private async findFailure({ claim, before, entries }: Append): Promise<Failure | null> {
    const standing = await retryUntilConnected(
      () => this.database.systemTransaction((tx) => this.rows.standing(tx, claim), { ahead: true }),
      this.stopping.signal,
      this.pause,
    );
    if (standing !== 'lost' && standing.lastSequence === before + entries.length) {
      this.feed.invalidate(claim.turnId);
      return null;
    }
    return { error: claimLostError(claim) };
  }

  private async appendOne(tx: Transaction, part: Append, at: Date): Promise<void> {
    const stored = await this.rows.append(tx, [part], at);
    if (stored.size > 0) return;
    // A commit whose response was lost may have stored it; nothing else would tell the local listeners.
    this.feed.invalidate(part.claim.turnId);
    throw claimLostError(part.claim);
  }

  private async appendAll(tx: Transaction, parts: readonly Append[]): Promise<Set<string>> {
    const at = new Date();
    const [stored] = await awaitAll([
      this.rows.append(tx, parts, at),
      this.records.applyEntries(tx, parts, at),
      this.announcements.announce(tx, parts),
    ]);
    tx.afterCommit(() => {
      for (const part of parts) {
        if (stored.has(part.claim.turnId))
          this.feed.stored(part.claim.turnId, eventsOf(part.claim.turnId, part, at));
      }
    });
    return stored;
  }
}

function claimLostError({ turnId, attempt }: Claim): ClaimLost {
  return new ClaimLost(`The turn ${turnId} is no longer attempt ${attempt}’s.`);
}
