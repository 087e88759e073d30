import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

import { LOGGER, type Logger } from '../../../common/process/logger.js';
import { awaitAll, type Transaction } from '../../../platform/database/transaction.js';
import { Database } from '../../../platform/database/database.js';
import { PubSub } from '../../../platform/pubsub/pub-sub.js';
import type { TurnEvent } from '../turn-event.js';
import { type Append, type Position, TurnEventRepository } from './turn-event.repository.js';
import { TurnFeed } from './turn-feed.js';

const TOPIC = 'turn.events';

/** A hint has 7,000 bytes, of which each turn takes at most 45. */
const TURNS_A_HINT = 150;

/** Longer backlogs of one turn are read by its listeners, page by page. */
const MAX_EVENTS = 256;

/** Turn ids, each with the length of its log. One regular expression for all: every process gets every hint. */
const HINT = /^[\da-f-]{36}:\d{1,10}(?: [\da-f-]{36}:\d{1,10})*$/;
const ID_LENGTH = 36;

interface Reading {
  position: Position;
  /** The announced length of the log. */
  lastSequence: number;
  show(events: readonly TurnEvent[]): void;
}

/** Replicas announce turns with new events to each other. One statement then reads them for all listeners. */
@Injectable()
export class TurnAnnouncements implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Turns that were announced and not read since, with the lengths of their logs. */
  private announced = new Map<string, number>();
  private reading = false;
  private unsubscribe = (): void => undefined;

  constructor(
    private readonly database: Database,
    private readonly rows: TurnEventRepository,
    private readonly feed: TurnFeed,
    private readonly pubSub: PubSub,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.unsubscribe = this.pubSub.follow(
      TOPIC,
      (hint) => this.onHint(hint),
      () => this.feed.invalidateAll(),
    );
  }

  onApplicationShutdown(): void {
    this.unsubscribe();
  }

  /** Announces, once `tx` is committed, that the turns' logs have grown. */
  async announce(tx: Transaction, parts: readonly Append[]): Promise<void> {
    const turns = parts.map(({ claim, before, entries }) => `${claim.turnId}:${before + entries.length}`);
    const hints: string[] = [];
    for (let start = 0; start < turns.length; start += TURNS_A_HINT)
      hints.push(turns.slice(start, start + TURNS_A_HINT).join(' '));
    await awaitAll(hints.map((hint) => this.pubSub.publishToOthers(tx, TOPIC, hint)));
  }

  private onHint(text: string): void {
    for (const [turnId, lastSequence] of hintedTurns(text)) {
      if (!this.feed.hasListenersBehind(turnId, lastSequence)) continue;
      this.announced.set(turnId, Math.max(lastSequence, this.announced.get(turnId) ?? 0));
    }
    if (this.announced.size > 0 && !this.reading) void this.readAnnounced();
  }

  /** Reads until nothing is announced any more. Announcements that come meanwhile are read in the next round. */
  private async readAnnounced(): Promise<void> {
    this.reading = true;
    // Several hints tend to arrive together.
    await Promise.resolve();
    while (this.announced.size > 0) {
      const turns = [...this.announced];
      this.announced = new Map();
      try {
        await this.readOnce(turns);
      } catch (error) {
        this.logger.warn({ err: error }, 'announced events could not be read; their listeners look for them');
        for (const [turnId] of turns) this.feed.invalidate(turnId);
      }
    }
    this.reading = false;
  }

  private async readOnce(turns: readonly (readonly [string, number])[]): Promise<void> {
    const readings: Reading[] = [];
    for (const [turnId, lastSequence] of turns) {
      // A listener may have read it meanwhile.
      if (!this.feed.hasListenersBehind(turnId, lastSequence)) continue;
      const position = this.feed.position(turnId);
      if (position) readings.push({ position, lastSequence, show: this.feed.beginReading(turnId) });
      else this.feed.announceLength(turnId, lastSequence);
    }
    if (readings.length === 0) return;
    const positions = readings.map(({ position }) => position);
    const events = await this.database.systemTransaction(
      (tx) => this.rows.readMany(tx, positions, MAX_EVENTS),
      { ahead: true },
    );
    const found = Map.groupBy(events, (event) => event.turnId);
    for (const { position, lastSequence, show } of readings) {
      show(found.get(position.turnId) ?? []);
      // There are more events than one reading returns, or the turn was removed.
      if (this.feed.hasListenersBehind(position.turnId, lastSequence)) this.feed.invalidate(position.turnId);
    }
  }
}

/** Parses what `announce` wrote. Throws when it is anything else; the port logs that. */
function hintedTurns(text: string): [string, number][] {
  if (!HINT.test(text)) throw new Error('This is no hint about turns.');
  return text.split(' ').map((one) => [one.slice(0, ID_LENGTH), Number(one.slice(ID_LENGTH + 1))]);
}
