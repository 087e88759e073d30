import { setTimeout as pause } from 'node:timers/promises';

import type { Logger } from '../common/logger.js';
import type { TurnClaims, ClaimedTurn } from '../turns/turn-claims.service.js';
import type { TurnEventBody, Usage } from '../turns/turn-event.js';
import { noUsage } from '../turns/turn-event.js';
import { ClaimLost } from '../turns/turn-log.service.js';
import { TurnWriter } from '../turns/turn-writer.js';
import type { AgentResult } from './loop/agent-turn.js';
import { type Ending, endingOf, TurnStopped } from './turn-run.js';

/** Well within a lease, so that one lost renewal does no harm. */
const RENEWAL_MS = 5_000;

/** Before the end is tried again: an answer is worth more than the one statement that could not store it. */
const END_PAUSES_MS = [100, 1_000, 5_000];

/** What a run is to do. */
export interface Work {
  maxSeconds: number;
  /** Gives the events and how it came out; `usage` is counted in place. */
  events(usage: Usage, signal: AbortSignal): AsyncGenerator<TurnEventBody, AgentResult>;
}

/** A claimed turn while this process runs it: the lease is kept, events are stored, and the end is written once. */
export class RunningTurn {
  private readonly controller = new AbortController();
  private readonly usage: Usage = { ...noUsage };
  private readonly writer: TurnWriter;
  private deadline: NodeJS.Timeout | undefined;

  constructor(
    private readonly claimed: ClaimedTurn,
    private readonly claims: TurnClaims,
    private readonly logger: Logger,
  ) {
    this.writer = new TurnWriter((events) => claims.commit(claimed.claim, events));
    const { stopReason } = claimed.turn;
    if (stopReason) this.stop(new TurnStopped({ type: 'stop', finishReason: stopReason }));
  }

  /** Ends the run early. The first reason stays. */
  stop(reason: TurnStopped): void {
    this.controller.abort(reason);
  }

  /** Runs to the end, whatever that is; never rejects. What `prepare` rejects with is an end as well. */
  async run(prepare: () => Promise<Work>): Promise<void> {
    const renewal = setInterval(() => void this.renew(), RENEWAL_MS);
    try {
      const ending = await this.follow(prepare);
      if (ending) await this.end(ending);
    } catch (error) {
      // Without an end of its own the turn is taken over once its lease is over.
      this.logger.error({ err: error }, 'the end of a turn could not be stored');
    } finally {
      clearTimeout(this.deadline);
      clearInterval(renewal);
      this.stop(new TurnStopped({ type: 'abandon' }));
    }
  }

  private async follow(prepare: () => Promise<Work>): Promise<Ending | null> {
    const { signal } = this.controller;
    try {
      const work = await prepare();
      signal.throwIfAborted();
      this.deadline = setTimeout(
        () => this.stop(new TurnStopped({ type: 'deadline' })),
        work.maxSeconds * 1000,
      );
      const events = work.events(this.usage, signal);
      for (;;) {
        const next = await events.next();
        if (next.done) return { status: 'COMPLETED', finishReason: next.value.finishReason, error: null };
        await this.writer.write(next.value);
      }
    } catch (error) {
      // What an aborted call rejects with is the caller's business; what it was aborted for is ours.
      const reason: unknown = signal.aborted ? signal.reason : error;
      if (reason instanceof ClaimLost) return null;
      if (!(reason instanceof TurnStopped)) this.logger.warn({ err: reason }, 'turn failed');
      return endingOf(reason, this.writer.text);
    }
  }

  private async end(ending: Ending): Promise<void> {
    const lastEvents = await this.writer.close();
    const outcome = { ...ending, text: this.writer.text, usage: this.usage };
    for (let tries = 0; ; tries += 1) {
      try {
        await this.claims.end(this.claimed, outcome, lastEvents);
        const { status, finishReason, error } = ending;
        this.logger.info({ status, finishReason, code: error?.code, ...this.usage }, 'turn ended');
        return;
      } catch (error) {
        // An end that was stored although it seemed to fail is lost to its second try, which is as well.
        if (error instanceof ClaimLost) return this.logger.warn('turn had been ended or taken over');
        const pauseMs = END_PAUSES_MS[tries];
        if (pauseMs === undefined) throw error;
        this.logger.warn({ err: error }, 'the end of a turn could not be stored; trying again');
        await pause(pauseMs);
      }
    }
  }

  private async renew(): Promise<void> {
    try {
      const renewed = await this.claims.renew(this.claimed.claim);
      if (!renewed) this.stop(new TurnStopped({ type: 'abandon' }));
      else if (renewed.stopReason) {
        this.stop(new TurnStopped({ type: 'stop', finishReason: renewed.stopReason }));
      }
    } catch (error) {
      // The lease outlasts several renewals: the next one may succeed.
      this.logger.warn({ err: error }, 'the lease of a turn could not be renewed');
    }
  }
}
