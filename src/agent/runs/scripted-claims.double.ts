import { newId } from '../../common/ids.js';
import { ManualClock } from '../../common/manual-clock.double.js';
import { createLogger } from '../../common/process/logger.js';
import type { ClaimedTurn } from '../../conversations/turns/claims/turn-claim.js';
import type { TurnClaims } from '../../conversations/turns/claims/turn-claims.service.js';
import { type Committer, type LastEntries, TurnWriter } from '../../conversations/turns/log/turn-writer.js';
import type { StoredModelCall } from '../../conversations/turns/model-calls/model-call.js';
import {
  type InputAsked,
  type FinishReason,
  noUsage,
  type TurnEntry,
  type TurnOutcome,
  type Usage,
} from '../../conversations/turns/turn-event.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { AgentResult } from '../loop/agent-turn.js';
import { ended } from '../loop/scripted-turn.double.js';
import { RunningTurn, TurnStopped, type Work } from './running-turn.js';

/** A log and a turn's row in memory, for tests. `failures`: the answers to the next writes of an end. */
class ScriptedClaims implements Committer {
  readonly stored: TurnEntry[] = [];
  readonly calls: StoredModelCall[] = [];
  readonly ends: TurnOutcome[] = [];
  handedOver = 0;
  /** The inputs of each wait. */
  readonly parked: (readonly InputAsked[])[] = [];
  /** The stored log each time the conversation was freed. */
  readonly freed: TurnEntry[][] = [];
  /** The turn's usage each time it was released. */
  readonly used: Usage[] = [];
  /** The answer to waiting. */
  stopReason: FinishReason | null = null;
  readonly failures: Error[] = [];
  onFree: () => Promise<void> = () => Promise.resolve();
  /** The answer to the next part. */
  refusal: Error | null = null;
  onAttempt: () => void = () => undefined;

  leave(): void {
    return undefined;
  }

  readonly writer = ({ claim, turn }: ClaimedTurn): TurnWriter =>
    new TurnWriter(claim, turn.lastSequence, this);

  readonly end: TurnClaims['end'] = async (_turn, outcome, last, alongside) => {
    this.attempt(last);
    this.ends.push(outcome);
    await alongside?.({} as Transaction);
  };

  readonly handOver: TurnClaims['handOver'] = async (_claimed, last, usage) => {
    this.attempt(last);
    this.used.push({ ...usage });
    this.handedOver += 1;
  };

  readonly park: TurnClaims['park'] = async (_claimed, last, asked, usage) => {
    if (this.stopReason) return this.stopReason;
    this.attempt(last);
    this.used.push({ ...usage });
    this.parked.push(asked);
    return null;
  };

  readonly freeConversation = async (): Promise<void> => {
    this.freed.push([...this.stored]);
    await this.onFree();
  };

  offer(writer: TurnWriter): void {
    setImmediate(() => {
      const part = writer.takePart();
      if (!part) return;
      if (!this.refusal) this.store(part.entries, part.calls);
      writer.finishPart(this.refusal && { error: this.refusal });
    });
  }

  private attempt({ before, rest, calls }: LastEntries): void {
    this.onAttempt();
    const failure = this.failures.shift();
    if (failure) throw failure;
    if (before !== this.stored.length)
      throw new Error(`What is left follows ${this.stored.length}, not ${before}.`);
    this.store(rest, calls);
  }

  private store(entries: readonly TurnEntry[], calls: readonly StoredModelCall[]): void {
    this.stored.push(...entries);
    this.calls.push(...calls);
  }
}

function claimedTurn(turn: Partial<Turn>): ClaimedTurn {
  const [id, companyId] = [newId(), newId()];
  const row = {
    companyId,
    id,
    attempt: 1,
    documentIds: [],
    lastSequence: 0,
    stopReason: null,
    backgroundAt: null,
    ...noUsage,
    ...turn,
  };
  return { turn: row as Turn, claim: { companyId, turnId: id, attempt: 1 }, phaseSeconds: 0 };
}

/** A turn over a log in memory. */
export function begin(
  turn: Partial<Turn> = {},
  hasRoomInBackground: () => boolean = () => true,
  phaseSeconds = 0,
) {
  const claims = new ScriptedClaims();
  const clock = new ManualClock();
  const logger = createLogger({ level: 'silent', pretty: false });
  const running = new RunningTurn(
    { ...claimedTurn(turn), phaseSeconds },
    claims as unknown as TurnClaims,
    clock,
    logger,
    hasRoomInBackground,
  );
  return { claims, clock, running };
}

export type Events = Work['events'];

/** One minute of work with `events`, without a background. */
export function workOf(events: Events, given: Partial<Work> = {}): Work {
  return {
    payer: { memberId: 'awa', assistantKey: 'mefali' },
    maxSeconds: 60,
    backgroundMaxSeconds: null,
    events,
    answerSchema: null,
    citedIn: () => [],
    atEnd: () => Promise.resolve(),
    ...given,
  };
}

/** Work that yields `entries` and is answered by default. */
export function work(
  entries: readonly TurnEntry[],
  last: (usage: Usage, signal: AbortSignal) => Promise<AgentResult> = () =>
    Promise.resolve(ended('ANSWERED')),
  given: Partial<Work> = {},
): () => Promise<Work> {
  return () => {
    const events: Events = async function* (usage, signal) {
      yield* entries;
      return await last(usage, signal);
    };
    return Promise.resolve(workOf(events, given));
  };
}

/** Silent until aborted. `onSilence` is called at its start. */
export function silence(onSilence: () => void = () => undefined) {
  return async (_: Usage, signal: AbortSignal): Promise<never> => {
    signal.throwIfAborted();
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      onSilence();
    });
  };
}

/** Advances by `ms`, and returns how many callbacks were waiting. */
export function pass(clock: ManualClock, ms: number): number {
  clock.advance(ms - 1);
  const { waiting } = clock;
  clock.advance(1);
  return waiting;
}

export function delta(words: string): TurnEntry {
  return { type: 'text-delta', text: words };
}

export function handOver(): TurnStopped {
  return new TurnStopped({ type: 'hand-over' });
}

/** The end of an answered turn, without text and usage. */
export const answered = {
  status: 'COMPLETED',
  finishReason: 'ANSWERED',
  error: null,
  citations: [],
  parts: null,
};
