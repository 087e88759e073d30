import type { TurnEventBody } from './turn-event.js';
import { splitHalfCharacter, wellFormed, wellFormedValue } from './well-formed.js';

/** Text that comes within this time of the last commit waits for the next one. */
const WINDOW_MS = 25;

/** More text than this in one window is more than the database keeps up with: the model has to wait. */
const MOST_WAITING_CHARACTERS = 64 * 1024;

/**
 * Collects what a turn's owner has to tell and commits it in batches: the first text of an answer and everything
 * that is not text at once, further text in windows of 25 ms, each window's text as one event. One commit is under
 * way at a time, and none follows one that failed: what was shown never has a hole.
 */
export class TurnWriter {
  /** The answer as it stands: the text since the last reset. */
  text = '';
  private waiting: TurnEventBody[] = [];
  private waitingCharacters = 0;
  /** Whether something waits that is to be committed without waiting for the window to pass. */
  private urgent = false;
  private half = '';
  private timer: NodeJS.Timeout | null = null;
  private committing: Promise<void> | null = null;
  private failure: { error: unknown } | null = null;
  private closed = false;

  constructor(private readonly commit: (events: TurnEventBody[]) => Promise<void>) {}

  /** Takes an event; rejects once a commit has failed. Resolves at once unless too much is waiting. */
  async write(event: TurnEventBody): Promise<void> {
    this.throwFailure();
    if (event.type === 'text-delta') this.addText(event.text);
    else this.add(wellFormedValue(event));
    while (this.waitingCharacters > MOST_WAITING_CHARACTERS) {
      await this.commitWaiting();
      this.throwFailure();
    }
  }

  /**
   * Ends the writing and gives what has not been committed, for the turn's last transaction; never rejects. After a
   * commit that failed nobody knows whether it was stored, so that is the whole text anew, what was shown withdrawn.
   */
  async close(): Promise<TurnEventBody[]> {
    this.closed = true;
    this.stopTimer();
    await this.committing;
    if (this.half !== '') this.pushText('\uFFFD');
    this.half = '';
    const rest = this.failure ? this.textAnew() : this.waiting;
    this.waiting = [];
    return rest;
  }

  private add(event: TurnEventBody): void {
    this.waiting.push(event);
    if (event.type === 'text-reset') {
      this.text = '';
      this.half = '';
    }
    this.schedule(true);
  }

  private addText(text: string): void {
    // Without its NULs, which could stand between two halves.
    const { whole, half } = splitHalfCharacter(this.half + text.replaceAll('\0', ''));
    this.half = half;
    if (whole === '') return;
    const isFirst = this.text === '';
    this.pushText(wellFormed(whole));
    this.schedule(isFirst);
  }

  private pushText(text: string): void {
    this.text += text;
    this.waitingCharacters += text.length;
    const last = this.waiting.at(-1);
    if (last?.type === 'text-delta') last.text += text;
    else this.waiting.push({ type: 'text-delta', text });
  }

  private textAnew(): TurnEventBody[] {
    const withdrawal: TurnEventBody = { type: 'text-reset', cause: 'RETRIED' };
    return this.text === '' ? [withdrawal] : [withdrawal, { type: 'text-delta', text: this.text }];
  }

  private schedule(urgent: boolean): void {
    const isSooner = urgent && !this.urgent;
    this.urgent ||= urgent;
    // What comes while a commit is under way is looked at when it is over.
    if (this.committing || this.closed || (this.timer && !isSooner)) return;
    this.stopTimer();
    // Even at once means after this round of the event loop: what one read of the socket brought goes together.
    this.timer = setTimeout(() => void this.commitWaiting(), this.urgent ? 0 : WINDOW_MS);
  }

  private stopTimer(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  /** Resolves when the commit under way, or else that of all that waits, is over; never rejects. */
  private commitWaiting(): Promise<void> {
    this.committing ??= this.commitOnce().finally(() => {
      this.committing = null;
      if (this.waiting.length > 0 && !this.failure) this.schedule(false);
    });
    return this.committing;
  }

  private async commitOnce(): Promise<void> {
    this.stopTimer();
    const events = this.waiting;
    this.waiting = [];
    this.waitingCharacters = 0;
    this.urgent = false;
    try {
      if (events.length > 0) await this.commit(events);
    } catch (error) {
      this.failure = { error };
    }
  }

  private throwFailure(): void {
    if (this.failure) throw this.failure.error;
  }
}
