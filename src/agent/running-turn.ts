import { setTimeout as pause } from 'node:timers/promises';

import type { Logger } from '../common/logger.js';
import { patiently } from '../database/patiently.js';
import { ClaimLost } from '../turns/log/turn-log.service.js';
import type { TurnWriter } from '../turns/log/turn-writer.js';
import type { ClaimedTurn, LastEntries, TurnClaims } from '../turns/turn-claims.service.js';
import type { LeaseHolder } from '../turns/turn-leases.service.js';
import { type FinishReason, type TurnEntry, type Usage, usageOf } from '../turns/turn-event.js';
import type { AgentResult } from './loop/agent-turn.js';
import { type Ending, endingOf, TurnStopped } from './turn-run.js';

/** Before the end is tried again: an answer is worth more than the one statement that could not store it. */
const END_PAUSES_MS = [100, 1_000, 5_000];

/** What a run is to do. */
export interface Work {
  maxSeconds: number;
  /** Gives what is to be stored and how it came out; `usage` is counted in place. */
  events(usage: Usage, signal: AbortSignal): AsyncGenerator<TurnEntry, AgentResult>;
}

/** What a run is prepared with. */
export interface Run {
  /** Resolves when all that was told so far is stored; rejects when the turn is no longer this run's. */
  stored(): Promise<void>;
  /** Aborted when the run is to end early. */
  signal: AbortSignal;
}

/** A claimed turn while this process runs it: entries are stored, and the end is written once. */
export class RunningTurn implements LeaseHolder {
  private readonly controller = new AbortController();
  /** Aborted when not even the end is to be tried any more. */
  private readonly leaving = new AbortController();
  private readonly usage: Usage;
  private readonly writer: TurnWriter;
  private deadline: NodeJS.Timeout | undefined;

  constructor(
    private readonly claimed: ClaimedTurn,
    private readonly claims: TurnClaims,
    private readonly logger: Logger,
  ) {
    this.usage = usageOf(claimed.turn);
    this.writer = claims.writer(claimed);
    const { stopReason } = claimed.turn;
    if (stopReason) this.onStop(stopReason);
  }

  get claim(): ClaimedTurn['claim'] {
    return this.claimed.claim;
  }

  /** Ends the run early. The first reason stays. */
  stop(reason: TurnStopped): void {
    this.controller.abort(reason);
  }

  onStop(finishReason: FinishReason): void {
    this.stop(new TurnStopped({ type: 'stop', finishReason }));
  }

  onLost(): void {
    this.leave(new TurnStopped({ type: 'abandon' }));
  }

  /** Ends the run, and does not wait for a database that is away to be told of it. */
  leave(reason: TurnStopped): void {
    this.stop(reason);
    this.leaving.abort(reason);
    this.writer.abandon(reason);
  }

  /** Runs to the end, whatever that is; never rejects. What `prepare` rejects with is an end as well. */
  async run(prepare: (run: Run) => Promise<Work>): Promise<void> {
    try {
      const ending = await this.follow(prepare);
      const last = await this.writer.close();
      if (ending === 'hand-over') await this.handOver(last);
      else if (ending) await this.end(ending, last);
    } catch (error) {
      // Without an end of its own the turn is taken over once its lease is over.
      if (error instanceof ClaimLost) this.logger.warn('turn had been ended or taken over');
      else if (this.leaving.signal.aborted) this.logger.warn({ err: error }, 'turn left as it was');
      else this.logger.error({ err: error }, 'the end of a turn could not be stored');
    } finally {
      clearTimeout(this.deadline);
      this.stop(new TurnStopped({ type: 'abandon' }));
    }
  }

  private async follow(prepare: (run: Run) => Promise<Work>): Promise<Ending | 'hand-over' | null> {
    const { signal } = this.controller;
    try {
      // A database that is away is waited for: the turn goes on when it is back.
      const work = await patiently(() => prepare({ stored: () => this.writer.stored(), signal }), signal);
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

  private async end(ending: Ending, last: LastEntries): Promise<void> {
    const outcome = { ...ending, text: this.writer.text, usage: this.usage };
    for (let tries = 0; ; tries += 1) {
      try {
        // An end that was stored although it seemed to fail is lost to its second try, which is as well.
        await patiently(() => this.claims.end(this.claimed.turn, outcome, last), this.leaving.signal);
        break;
      } catch (error) {
        const pauseMs = END_PAUSES_MS[tries];
        if (pauseMs === undefined || error instanceof ClaimLost || this.leaving.signal.aborted) throw error;
        this.logger.warn({ err: error }, 'the end of a turn could not be stored; trying again');
        await pause(pauseMs, undefined, { signal: this.leaving.signal }).catch(() => undefined);
      }
    }
    const { status, finishReason, error } = ending;
    this.logger.info({ status, finishReason, code: error?.code, ...this.usage }, 'turn ended');
  }

  private async handOver(last: LastEntries): Promise<void> {
    await patiently(() => this.claims.handOver(this.claimed, last), this.leaving.signal);
    this.logger.info('turn handed over');
  }
}
