import { retry } from '@palabre/async';
import { ModelError, type TextSink } from '@palabre/llm-client';
import type { JsonObject } from '@palabre/json';

import type { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Logger } from '../../common/process/logger.js';
import { QuotaSpent } from '../../companies/usage/quotas.service.js';
import { spentQuotaIn } from '../../companies/usage/spent-quota.js';
import type { Citation } from '../../conversations/message.repository.js';
import type { StoredPart } from '../../conversations/message-part.js';
import type { ClaimedTurn } from '../../conversations/turns/claims/turn-claim.js';
import type { TurnClaims } from '../../conversations/turns/claims/turn-claims.service.js';
import type { LeaseHolder } from '../../conversations/turns/claims/turn-leases.service.js';
import { ClaimLost } from '../../conversations/turns/log/turn-log.service.js';
import type { LastEntries, TurnWriter } from '../../conversations/turns/log/turn-writer.js';
import type { MadeModelCall, Payer } from '../../conversations/turns/model-calls/model-call.js';
import {
  type FinishReason,
  type InputAsked,
  type TurnEntry,
  type TurnFailure,
  type TurnOutcome,
  type Usage,
  usageOf,
} from '../../conversations/turns/turn-event.js';
import { retryUntilConnected } from '../../platform/database/retry-until-connected.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { AgentResult } from '../loop/agent-turn.js';
import { faultInAnswer } from '../loop/structured-answer.js';
import { answerMs } from '../loop/turn-phase.js';
import { endRunSpan } from './run-span.js';

/** Pauses between tries to store the end of a run, so that one failed statement does not lose an answer. */
const END_PAUSES_MS = [100, 1_000, 5_000];

export interface Work {
  payer: Payer;
  /** The limit of a turn in the foreground. */
  maxSeconds: number;
  /** The limit in the background, from the move on. Null: the turn cannot move. */
  backgroundMaxSeconds: number | null;
  /** Yields entries to store, returns the outcome. `usage` is updated in place. */
  events(usage: Usage, signal: AbortSignal): AsyncGenerator<TurnEntry, AgentResult>;
  /** The schema of the answer. Null: free text. */
  answerSchema: JsonObject | null;
  /** The sources that an interrupted answer cites. */
  citedIn(text: string): Citation[];
  /** Runs in the transaction of the answer. */
  atEnd(tx: Transaction): Promise<void>;
}

export interface RunHandle {
  /** Stores a model call with the next entry. `failure`: for the log. */
  record(call: MadeModelCall, failure?: unknown): void;
  /** Resolves when everything so far is stored. Rejects when the turn is no longer this run's. */
  stored(): Promise<void>;
  /** Takes the text of the answer, like text entries. */
  text: TextSink;
  /** Aborted when the run must end early. */
  signal: AbortSignal;
}

/** A claimed turn that this process runs. Entries are stored, and the end is written once. */
export class RunningTurn implements LeaseHolder {
  private readonly controller = new AbortController();
  /** Aborted when the run must stop storing its end. */
  private readonly leaving = new AbortController();
  private readonly usage: Usage;
  private readonly writer: TurnWriter;
  private work: Work | null = null;
  /** When the current phase would have begun without interruptions. */
  private phaseBeganMs: number;
  private cancelDeadline: () => void = () => undefined;
  private readonly underWay = new Set<string>();
  /** The turn is in the background without a place. */
  private lacksRoom = false;
  /** Settles when the conversation is free for its next turn. */
  private conversationFreed: Promise<void> = Promise.resolve();

  constructor(
    private readonly claimed: ClaimedTurn,
    private readonly claims: TurnClaims,
    private readonly clock: Clock,
    private readonly logger: Logger,
    /** Called when nobody waits for the turn any more, and again while there is no place. */
    private readonly takeRoomInBackground: () => boolean,
  ) {
    this.usage = usageOf(claimed.turn);
    this.writer = claims.writer(claimed);
    this.phaseBeganMs = clock.elapsedMs() - 1000 * claimed.phaseSeconds;
    const { stopReason } = claimed.turn;
    if (stopReason) this.onStop(stopReason);
  }

  get claim(): ClaimedTurn['claim'] {
    return this.claimed.claim;
  }

  /** Ends the run early. The first reason wins. */
  stop(reason: TurnStopped): void {
    this.controller.abort(reason);
  }

  onStop(finishReason: FinishReason): void {
    this.stop(new TurnStopped({ type: 'stop', finishReason }));
  }

  onLost(): void {
    this.leave(new TurnStopped({ type: 'abandon' }));
  }

  /** Ends the run without waiting for an unavailable database. */
  leave(reason: TurnStopped): void {
    this.stop(reason);
    this.leaving.abort(reason);
    this.writer.abandon(reason);
  }

  /** Runs to the end and never rejects. A rejection of `prepare` is an end too. */
  async run(prepare: (run: RunHandle) => Promise<Work>): Promise<void> {
    try {
      const ending = await this.follow(prepare);
      // Before the writer is closed: this waits for pending entries to be stored, and a closed writer stores no more.
      await this.conversationFreed;
      const last = await this.writer.close();
      if (ending === 'hand-over') await this.handOver(last);
      else if (ending && 'asked' in ending) await this.park(ending.asked, last);
      else if (ending) await this.end(ending, last);
    } catch (error) {
      // Without a stored end the turn is taken over when its lease ends.
      if (error instanceof ClaimLost) this.logger.warn('turn had been ended or taken over');
      else if (this.leaving.signal.aborted) this.logger.warn({ err: error }, 'turn left as it was');
      else this.logger.error({ err: error }, 'the end of a turn could not be stored');
    } finally {
      this.cancelDeadline();
      this.stop(new TurnStopped({ type: 'abandon' }));
    }
  }

  private async follow(
    prepare: (run: RunHandle) => Promise<Work>,
  ): Promise<Ending | { asked: InputAsked[] } | 'hand-over' | null> {
    const { signal } = this.controller;
    try {
      // Waits for an unavailable database. The turn continues when it is back.
      const work = await retryUntilConnected(() => prepare(this.handle), signal);
      this.work = work;
      this.setDeadline();
      this.lacksRoom = this.claimed.turn.backgroundAt !== null;
      this.takeBackgroundRoom();
      signal.throwIfAborted();
      const events = work.events(this.usage, signal);
      for (;;) {
        const next = await events.next();
        if (next.done) return endingOfResult(next.value);
        await this.writer.write(next.value);
        this.trackEntry(next.value);
      }
    } catch (error) {
      // The rejection of an aborted call does not matter; the reason of the abort does.
      const reason: unknown = signal.aborted ? signal.reason : error;
      if (reason instanceof ClaimLost) return null;
      if (!(reason instanceof TurnStopped)) this.logger.warn({ err: reason }, 'turn failed');
      const { text } = this.writer;
      const ending = endingOf(reason, text);
      if (ending === null || ending === 'hand-over') return ending;
      return { ...ending, citations: this.work?.citedIn(text) ?? [] };
    }
  }

  private get text(): TextSink {
    const { writer } = this;
    // A turn without a background place looks for one with every entry.
    const isReady = (): boolean => !this.lacksRoom && writer.isReady;
    return {
      get isReady() {
        return isReady();
      },
      take: (text) => writer.take(text),
    };
  }

  private get handle(): RunHandle {
    return {
      record: (call, failure) => {
        if (failure !== undefined) this.logger.warn({ err: failure, model: call.model }, 'model call failed');
        if (!this.work) return;
        if (call.costUsd !== null) this.usage.costUsd = (this.usage.costUsd ?? 0) + call.costUsd;
        this.writer.record(call, this.work.payer);
      },
      stored: () => this.writer.stored(),
      text: this.text,
      signal: this.controller.signal,
    };
  }

  /** At the deadline the run ends with what there is. The loop writes an answer before. */
  private setDeadline(): void {
    if (!this.work) return;
    const { maxSeconds, backgroundMaxSeconds } = this.work;
    const seconds = this.claimed.turn.backgroundAt
      ? (backgroundMaxSeconds ?? maxSeconds)
      : // What may go on in the background does so by itself when its time is over.
        maxSeconds + (backgroundMaxSeconds ?? 0);
    this.cancelDeadline();
    const leftMs = this.phaseBeganMs + seconds * 1000 - this.clock.elapsedMs();
    this.cancelDeadline = this.clock.after(Math.max(leftMs, answerMs(seconds)), () =>
      this.stop(new TurnStopped({ type: 'deadline' })),
    );
  }

  private trackEntry(entry: TurnEntry): void {
    if (entry.type === 'skill-started') this.underWay.add(entry.callId);
    if (entry.type === 'skill-finished') this.underWay.delete(entry.callId);
    if (entry.type === 'moved-to-background') this.moveToBackground();
    this.takeBackgroundRoom();
  }

  /** Without a place, another process continues after this step: the outcome of an interrupted skill is unknown. */
  private takeBackgroundRoom(): void {
    if (!this.lacksRoom || this.controller.signal.aborted) return;
    this.lacksRoom = !this.takeRoomInBackground();
    if (this.lacksRoom && this.underWay.size === 0) this.stop(new TurnStopped({ type: 'hand-over' }));
  }

  private moveToBackground(): void {
    this.claimed.turn.backgroundAt = this.clock.now();
    this.claimed.turn.status = 'IN_BACKGROUND';
    this.phaseBeganMs = this.clock.elapsedMs();
    this.setDeadline();
    this.conversationFreed = this.freeConversation();
    this.lacksRoom = true;
  }

  /** Never rejects: waiting turns are found anyway, a little later. */
  private async freeConversation(): Promise<void> {
    try {
      await this.writer.stored();
      await this.claims.freeConversation(this.claimed.turn);
    } catch (error) {
      if (!(error instanceof ClaimLost))
        this.logger.warn({ err: error }, 'a conversation could not go on at once');
    }
  }

  /** The turn waits for people. A later run continues here. */
  private async park(asked: InputAsked[], last: LastEntries): Promise<void> {
    const stopReason = await this.storeWithRetries(() =>
      this.claims.park(this.claimed, last, asked, this.usage),
    );
    if (stopReason === null)
      return this.logger.info({ skills: asked.map(({ skill }) => skill) }, 'turn waits for people');
    await this.end({ status: 'CANCELLED', finishReason: stopReason, error: null, citations: [] }, last);
  }

  private async end(reached: Ending, last: LastEntries): Promise<void> {
    const { ending, parts } = this.checked(reached);
    const outcome = { ...ending, text: this.writer.text, parts, usage: this.usage };
    // If an end was stored although it seemed to fail, the second try finds the claim lost, and listeners look.
    const atEnd = ending.status === 'COMPLETED' ? this.work?.atEnd : undefined;
    await this.storeWithRetries(() => this.claims.end(this.claimed.turn, outcome, last, atEnd));
    endRunSpan(outcome);
    const { status, finishReason, error } = ending;
    this.logger.info({ status, finishReason, code: error?.code, ...this.usage }, 'turn ended');
  }

  /** An answer that violates its schema has failed. */
  private checked(ending: Ending): { ending: Ending; parts: StoredPart[] | null } {
    const { text, reasoning } = this.writer;
    const schema = this.work?.answerSchema ?? null;
    const isData = schema !== null && ending.status === 'COMPLETED';
    const isInvalid = isData && faultInAnswer(text, schema) !== null;
    const parts: StoredPart[] = [{ type: 'text' }];
    if (reasoning !== '') parts.unshift({ type: 'reasoning', text: reasoning });
    if (isData && !isInvalid) parts.push({ type: 'data' });
    return { ending: isInvalid ? invalid(ending) : ending, parts: parts.length > 1 ? parts : null };
  }

  private async handOver(last: LastEntries): Promise<void> {
    await this.storeWithRetries(() => this.claims.handOver(this.claimed, last, this.usage));
    this.logger.info('turn handed over');
  }

  /** Repeats a few times what the database refuses. Otherwise everything since the last step would be done again. */
  private async storeWithRetries<T>(store: () => Promise<T>): Promise<T> {
    const { signal } = this.leaving;
    const pauseAfter = (error: unknown, failures: number): number | null => {
      const pauseMs = END_PAUSES_MS[failures - 1];
      if (pauseMs === undefined || error instanceof ClaimLost || signal.aborted) return null;
      this.logger.warn({ err: error }, 'the end of a run could not be stored; trying again');
      return pauseMs;
    };
    return retry(() => retryUntilConnected(store, signal), pauseAfter, {
      signal,
      pause: (ms) => this.clock.pause(ms, signal),
    });
  }
}

function endingOfResult(result: AgentResult): Ending | { asked: InputAsked[] } {
  if (result.type === 'waiting') return { asked: result.inputs };
  const { finishReason, citations } = result;
  return { status: 'COMPLETED', finishReason, error: null, citations };
}

/** The reason for ending a run from outside, as its AbortSignal's reason. */
export class TurnStopped extends Error {
  override readonly name = 'TurnStopped';

  constructor(
    readonly ending:
      | { type: 'stop'; finishReason: FinishReason }
      | { type: 'deadline' }
      /** The process is stopping. Another one continues after the last step. */
      | { type: 'hand-over' }
      /** Another attempt has the turn, or the process is stopping. Nothing more is written. */
      | { type: 'abandon' },
  ) {
    super(`The run was ended: ${ending.type}.`);
  }
}

type Ending = Pick<TurnOutcome, 'status' | 'finishReason' | 'error' | 'citations'>;

/** The end of a turn whose loop rejected with `error` after saying `text`. Null: this run must not end it. */
export function endingOf(error: unknown, text: string): Ending | 'hand-over' | null {
  if (error instanceof TurnStopped) {
    const { ending } = error;
    if (ending.type === 'abandon') return null;
    if (ending.type === 'hand-over') return 'hand-over';
    if (ending.type === 'deadline') return outOfTime(text);
    return { status: 'CANCELLED', finishReason: ending.finishReason, error: null, citations: [] };
  }
  // The database was unavailable. Another run continues after the last step.
  if (error instanceof DomainError && error.code === 'UNAVAILABLE') return 'hand-over';
  return { status: 'FAILED', finishReason: 'ERROR', error: failureOf(error), citations: [] };
}

function outOfTime(text: string): Ending {
  return text.trim() === ''
    ? { status: 'FAILED', finishReason: 'MAX_SECONDS', error: tooSlow, citations: [] }
    : { status: 'COMPLETED', finishReason: 'MAX_SECONDS', error: null, citations: [] };
}

function invalid({ finishReason, citations }: Ending): Ending {
  return {
    status: 'FAILED',
    finishReason: finishReason === 'ANSWERED' ? 'ERROR' : finishReason,
    error: notAsAsked,
    citations,
  };
}

const notAsAsked: TurnFailure = { code: 'ANSWER_INVALID', retryable: true };

const tooSlow: TurnFailure = { code: 'MODEL_UNAVAILABLE', retryable: true };

function failureOf(error: unknown): TurnFailure {
  if (error instanceof ModelError) {
    const { code, retryable, fault } = error;
    return { code, retryable, fault };
  }
  if (error instanceof QuotaSpent) {
    const message = spentQuotaIn(error.quota, error.language);
    return { code: 'RATE_LIMITED', retryable: false, message };
  }
  return { code: 'INTERNAL', retryable: true };
}
