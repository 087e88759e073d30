import { Injectable } from '@nestjs/common';

import type { TurnAddress } from '../claims/turn-address.js';
import { TurnEvents } from './turn-events.js';
import { TurnFeed } from './turn-feed.js';
import { TurnLogReader } from './turn-log-reader.service.js';

/** Turns' events, for whoever may see them. */
@Injectable()
export class TurnStreams {
  constructor(
    private readonly log: TurnLogReader,
    private readonly feed: TurnFeed,
  ) {}

  /** The events later than `after`, up to TurnDone. Whoever opens it must use it up or call its return(). */
  open(turn: TurnAddress, after: number): TurnEvents {
    return new TurnEvents(this.log, this.feed, turn, after);
  }

  /** The same for a member. Rejects with NOT_FOUND when the turn is not theirs. */
  openFor(memberId: string, turn: TurnAddress, after: number): Promise<TurnEvents> {
    return this.open(turn, after).begin(memberId);
  }

  /** Resolves once the turn, seen at `after`, has ended, after `timeoutMs`, or when nobody can tell; never rejects. */
  async whenEnded(turn: TurnAddress, after: number, timeoutMs: number): Promise<void> {
    const stream = this.open(turn, after);
    const timer = setTimeout(() => void stream.return(), timeoutMs);
    try {
      while (!(await stream.next()).done);
    } catch {
      // Whoever waits goes on to ask the database, and is told what is wrong with it.
    } finally {
      clearTimeout(timer);
    }
  }
}
