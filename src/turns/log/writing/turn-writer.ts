import { newId } from '../../../common/ids.js';
import type { MadeModelCall, Payer, StoredModelCall } from '../../model-calls/model-call.js';
import { PromptDeltas } from '../../model-calls/prompt-deltas.js';
import type { TurnEntry } from '../../turn-event.js';
import type { Claim } from '../../turn.repository.js';
import type { Append } from '../turn-event.repository.js';
import { splitHalfCharacter, wellFormed, wellFormedValue } from './well-formed.js';

/**
 * More text than this waiting is more than the database keeps up with: the model has to wait. It also bounds an event,
 * and so what a page of the log holds.
 */
const MOST_WAITING_CHARACTERS = 16 * 1024;

/** What stores what writers have waiting, some time soon or, when it is urgent, at once. */
export interface Committer {
  offer(writer: TurnWriter, urgent: boolean): void;
}

/**
 * Collects what a turn's owner has to tell until it is taken to be stored: further text grows the last event, so that
 * what comes between two commits is one. One part is under way at a time, and nothing is taken after one that could
 * not be stored: what was shown never has a hole.
 */
export class TurnWriter {
  /** The answer as it stands: the text since the last reset. */
  text = '';
  private waiting: TurnEntry[] = [];
  private waitingCharacters = 0;
  /** Model calls, which go with the next entries: nobody waits for them. */
  private calls: StoredModelCall[] = [];
  private readonly prompts = new PromptDeltas();
  private half = '';
  /** Whether something waits that is to be stored without waiting for the window to pass. */
  private urgent = false;
  private underWay: Append | null = null;
  private failure: { error: unknown } | null = null;
  private closed = false;
  private abandoned = false;
  /** Those who wait for the part under way to be settled. */
  private onSettled: (() => void)[] = [];

  constructor(
    readonly claim: Claim,
    /** The number of the last event stored. */
    private sequence: number,
    private readonly committer: Committer,
  ) {}

  /** Takes an entry; rejects once a part could not be stored. Resolves at once unless too much is waiting. */
  async write(entry: TurnEntry): Promise<void> {
    this.throwFailure();
    if (entry.type === 'text-delta') this.addText(entry.text);
    else this.add(wellFormedValue(entry));
    while (this.waitingCharacters > MOST_WAITING_CHARACTERS) {
      await this.settled();
      this.throwFailure();
    }
  }

  /** Takes a model call, to be stored with what is told next. */
  record(call: MadeModelCall, payer: Payer): void {
    this.calls.push({ ...call, ...payer, ...this.prompts.next(call.messages), id: newId() });
  }

  /** Resolves when all that was written is stored; rejects when it cannot be. */
  async stored(): Promise<void> {
    while (this.underWay || this.waiting.length > 0) {
      this.throwFailure();
      this.offer(true);
      await this.settled();
    }
    this.throwFailure();
  }

  /** For the committer: what waits, which is under way from now on. Null: there is nothing to be stored just now. */
  take(): Append | null {
    if (this.underWay || this.closed || this.failure || this.waiting.length === 0) return null;
    this.underWay = { claim: this.claim, before: this.sequence, entries: this.waiting, calls: this.calls };
    this.waiting = [];
    this.calls = [];
    this.waitingCharacters = 0;
    this.urgent = false;
    return this.underWay;
  }

  /** For the committer: the part under way is stored, or cannot be for the given reason. */
  settle(failure: { error: unknown } | null): void {
    this.failure ??= failure;
    if (!failure) this.sequence += this.underWay?.entries.length ?? 0;
    this.underWay = null;
    this.resumeAll();
    if (!this.failure && this.waiting.length > 0) this.offer(this.urgent);
  }

  /** Waits for nothing any more: all that waits for the storing, now or later, is rejected with `reason`. */
  abandon(reason: unknown): void {
    this.abandoned = true;
    this.failure ??= { error: reason };
    this.resumeAll();
  }

  /**
   * Ends the writing and gives what has not been stored, and the number it follows, for the turn's last transaction;
   * never rejects. Where a part could not be stored, that is the whole text anew, what was shown withdrawn.
   */
  async close(): Promise<{ rest: TurnEntry[]; before: number; calls: StoredModelCall[] }> {
    this.closed = true;
    while (this.underWay && !this.abandoned) await this.settled();
    if (this.half !== '') this.pushText('\uFFFD');
    this.half = '';
    const rest = this.failure ? this.textAnew() : this.waiting;
    this.waiting = [];
    return { rest, before: this.sequence, calls: this.calls };
  }

  private add(entry: TurnEntry): void {
    this.waiting.push(entry);
    if (entry.type === 'text-reset') {
      this.text = '';
      this.half = '';
    }
    this.offer(true);
  }

  private addText(text: string): void {
    // Without its NULs, which could stand between two halves.
    const { whole, half } = splitHalfCharacter(this.half + text.replaceAll('\0', ''));
    this.half = half;
    if (whole === '') return;
    const isFirst = this.text === '';
    this.pushText(wellFormed(whole));
    this.offer(isFirst);
  }

  private pushText(text: string): void {
    this.text += text;
    this.waitingCharacters += text.length;
    const last = this.waiting.at(-1);
    if (last?.type === 'text-delta') last.text += text;
    else this.waiting.push({ type: 'text-delta', text });
  }

  private textAnew(): TurnEntry[] {
    const withdrawal: TurnEntry = { type: 'text-reset', cause: 'RETRIED' };
    return this.text === '' ? [withdrawal] : [withdrawal, { type: 'text-delta', text: this.text }];
  }

  private offer(urgent: boolean): void {
    this.urgent ||= urgent;
    if (!this.closed) this.committer.offer(this, this.urgent);
  }

  private resumeAll(): void {
    for (const resume of this.onSettled.splice(0)) resume();
  }

  private settled(): Promise<void> {
    return new Promise((resolve) => this.onSettled.push(resolve));
  }

  private throwFailure(): void {
    if (this.failure) throw this.failure.error;
  }
}
