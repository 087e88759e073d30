import { Injectable } from '@nestjs/common';

import type { TurnAddress } from './run-turn.js';
import { TurnEvents } from './turn-events.js';
import { TurnFeed } from './turn-feed.js';
import { TurnLog } from './turn-log.service.js';

/** Turns' events, for whoever may see them. */
@Injectable()
export class TurnStreams {
  constructor(
    private readonly log: TurnLog,
    private readonly feed: TurnFeed,
  ) {}

  /** The events later than `after`, up to TurnDone. Whoever opens it must use it up or call its return(). */
  open(turn: TurnAddress, after: number): TurnEvents {
    return new TurnEvents(this.log, this.feed, turn, after);
  }

  /** Resolves once the turn has ended, or after `timeoutMs`. */
  async whenEnded(turn: TurnAddress, timeoutMs: number): Promise<void> {
    const { events, ended } = await this.log.read(turn.companyId, turn.turnId, 0, 1);
    if (ended) return;
    const stream = this.open(turn, events.at(-1)?.sequence ?? 0);
    const timer = setTimeout(() => void stream.return(), timeoutMs);
    try {
      while (!(await stream.next()).done);
    } finally {
      clearTimeout(timer);
    }
  }
}
