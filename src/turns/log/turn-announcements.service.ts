import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

import { LOGGER, type Logger } from '../../common/process/logger.js';
import { Database } from '../../database/database.js';
import { together } from '../../database/together.js';
import type { Transaction } from '../../database/transaction.js';
import { PubSub } from '../../pubsub/pub-sub.js';
import type { TurnEvent } from '../turn-event.js';
import { type Append, type Position, TurnEventRepository } from './turn-event.repository.js';
import { TurnFeed } from './turn-feed.js';

const TOPIC = 'turn.events';

/** Of a hint's 7,000 bytes, each turn takes at most 45. */
const TURNS_A_HINT = 150;

/** More of one turn at once is left to its listeners, who read page by page. */
const MOST_EVENTS = 256;

/** Ids of turns, each with how far its log goes. Checked as a whole: every process hears of every commit. */
const HINT = /^[\da-f-]{36}:\d{1,10}(?: [\da-f-]{36}:\d{1,10})*$/;
const ID_LENGTH = 36;

interface Reading {
  position: Position;
  /** How far the log goes, as was announced. */
  lastSequence: number;
  show(events: readonly TurnEvent[]): void;
}

/**
 * Replicas tell each other which turns have new events; whoever has listeners to one reads them from the log, for
 * all listeners and all turns of one round in one statement.
 */
@Injectable()
export class TurnAnnouncements implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Turns that have been announced and not been read since, and how far their logs go. */
  private announced = new Map<string, number>();
  private reading = false;
  private unsubscribe: (() => void)[] = [];

  constructor(
    private readonly database: Database,
    private readonly rows: TurnEventRepository,
    private readonly feed: TurnFeed,
    private readonly pubSub: PubSub,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.unsubscribe = [
      this.pubSub.subscribe(TOPIC, (hint) => this.hear(hint)),
      this.pubSub.onGap(() => this.feed.lookAgainAll()),
    ];
  }

  onApplicationShutdown(): void {
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  /** Tells the other replicas, once `tx` is committed, that the turns' logs have grown. */
  async announce(tx: Transaction, parts: readonly Append[]): Promise<void> {
    const turns = parts.map(({ claim, before, entries }) => `${claim.turnId}:${before + entries.length}`);
    const hints: string[] = [];
    for (let start = 0; start < turns.length; start += TURNS_A_HINT) {
      hints.push(turns.slice(start, start + TURNS_A_HINT).join(' '));
    }
    await together(hints.map((hint) => this.pubSub.publishToOthers(tx, TOPIC, hint)));
  }

  private hear(text: string): void {
    for (const [turnId, lastSequence] of hintedTurns(text)) {
      if (!this.feed.isBehind(turnId, lastSequence)) continue;
      this.announced.set(turnId, Math.max(lastSequence, this.announced.get(turnId) ?? 0));
    }
    if (this.announced.size > 0 && !this.reading) void this.readAnnounced();
  }

  /** Reads until nothing is announced any more; what comes meanwhile goes into the next round. */
  private async readAnnounced(): Promise<void> {
    this.reading = true;
    // Hints come together.
    await Promise.resolve();
    while (this.announced.size > 0) {
      const turns = [...this.announced];
      this.announced = new Map();
      try {
        await this.readOnce(turns);
      } catch (error) {
        this.logger.warn({ err: error }, 'announced events could not be read; their listeners look for them');
        for (const [turnId] of turns) this.feed.lookAgain(turnId);
      }
    }
    this.reading = false;
  }

  private async readOnce(turns: readonly (readonly [string, number])[]): Promise<void> {
    const readings: Reading[] = [];
    for (const [turnId, lastSequence] of turns) {
      // Somebody else may have read it meanwhile.
      if (!this.feed.isBehind(turnId, lastSequence)) continue;
      const position = this.feed.position(turnId);
      if (position) readings.push({ position, lastSequence, show: this.feed.beginReading(turnId) });
      else this.feed.expect(turnId, lastSequence);
    }
    if (readings.length === 0) return;
    const positions = readings.map(({ position }) => position);
    const events = await this.database.systemTransaction(
      (tx) => this.rows.readMany(tx, positions, MOST_EVENTS),
      { ahead: true },
    );
    const found = Map.groupBy(events, (event) => event.turnId);
    for (const { position, lastSequence, show } of readings) {
      show(found.get(position.turnId) ?? []);
      // There is more than one reading gives, or the turn was removed.
      if (this.feed.isBehind(position.turnId, lastSequence)) this.feed.lookAgain(position.turnId);
    }
  }
}

/** What `announce` wrote. Throws when it is anything else, which the port logs. */
const hintedTurns = (text: string): [string, number][] => {
  if (!HINT.test(text)) throw new Error('This is no hint about turns.');
  return text.split(' ').map((one) => [one.slice(0, ID_LENGTH), Number(one.slice(ID_LENGTH + 1))]);
};
