import { Injectable } from '@nestjs/common';

import type { Viewer } from '../../companies/auth/viewer.js';
import type { TurnEvent } from '../../conversations/turns/turn-event.js';
import { ModelCalls } from '../../conversations/turns/model-calls/model-calls.service.js';
import { TurnsService } from '../../conversations/turns/turns.service.js';

/** An event, with what else is told of the end. */
export interface FollowedEvent {
  event: TurnEvent;
  /** Of the turn's model calls; 0 before TurnDone. */
  reasoningTokens: number;
}

/** The events of turns, for those who tell them in other words. */
@Injectable()
export class TurnFollower {
  constructor(
    private readonly turns: TurnsService,
    private readonly calls: ModelCalls,
  ) {}

  /** All from the first on, up to TurnDone, or up to `until`; ends early when `signal` is aborted. Rejects with NOT_FOUND. */
  async *follow(
    viewer: Viewer,
    turnId: string,
    signal: AbortSignal,
    until = Infinity,
  ): AsyncGenerator<FollowedEvent> {
    if (until === 0) return;
    const events = await this.turns.events(viewer, turnId, 0);
    // A generator that waits does not stop by itself.
    const stop = (): void => void events.return?.();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      for await (const event of events) {
        const isDone = event.type === 'turn-done';
        const reasoningTokens = isDone ? await this.calls.countReasoning(viewer.companyId, turnId) : 0;
        yield { event, reasoningTokens };
        if (event.sequence >= until) break;
      }
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
    }
  }
}
