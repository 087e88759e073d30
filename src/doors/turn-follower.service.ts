import { Injectable } from '@nestjs/common';

import { DomainError } from '../common/errors/domain-error.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { ModelCalls } from '../conversations/turns/model-calls/model-calls.service.js';
import type { TurnEvent } from '../conversations/turns/turn-event.js';
import { TurnsService } from '../conversations/turns/turns.service.js';

/** The events of turns, for those who tell them in other words. */
@Injectable()
export class TurnFollower {
  constructor(
    private readonly turns: TurnsService,
    private readonly calls: ModelCalls,
  ) {}

  /**
   * All from the first on, up to TurnDone, or up to `until`; ends early when `signal` is aborted or the turn is removed.
   * Rejects with NOT_FOUND before the first.
   */
  async *follow(
    viewer: Viewer,
    turnId: string,
    signal: AbortSignal,
    until = Infinity,
  ): AsyncGenerator<TurnEvent> {
    if (until === 0) return;
    const events = await this.turns.events(viewer, turnId, 0);
    // A generator that waits does not stop by itself.
    const stop = (): void => void events.return?.();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      for await (const event of events) {
        yield event;
        if (event.sequence >= until) break;
      }
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'NOT_FOUND')) throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
    }
  }

  /** Of the turn's model calls, to be told with TurnDone; 0 before. */
  async reasoningTokens({ companyId }: Viewer, { type, turnId }: TurnEvent): Promise<number> {
    return type === 'turn-done' ? this.calls.countReasoning(companyId, turnId) : 0;
  }
}
