import { Injectable } from '@nestjs/common';

import { DomainError } from '../common/errors/domain-error.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { ModelCalls } from '../conversations/turns/model-calls/model-calls.service.js';
import { isWaiting, type TurnEvent } from '../conversations/turns/turn-event.js';
import { TurnsService } from '../conversations/turns/turns.service.js';

/** A place where a turn stopped to wait, and the ids of what it asked for. */
interface TurnWait {
  sequence: number;
  asked: Set<string>;
}

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

  /** Where the turn has waited for people up to the sequence `until`, in order. */
  async waitsOf(viewer: Viewer, turnId: string, until: number, signal: AbortSignal): Promise<TurnWait[]> {
    const waits: TurnWait[] = [];
    let asked = new Set<string>();
    for await (const event of this.follow(viewer, turnId, signal, until)) {
      if (event.type === 'input-requested') asked.add(event.input.id);
      if (event.type === 'approval-requested') asked.add(event.approval.id);
      if (event.type !== 'status-changed' || !isWaiting(event.status)) continue;
      waits.push({ sequence: event.sequence, asked });
      asked = new Set();
    }
    return waits;
  }

  /** Of the turn's model calls, to be told with TurnDone; 0 before. */
  async reasoningTokens({ companyId }: Viewer, { type, turnId }: TurnEvent): Promise<number> {
    return type === 'turn-done' ? this.calls.countReasoning(companyId, turnId) : 0;
  }
}
