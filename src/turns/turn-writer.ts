import type { TurnEventBody } from './turn-event.js';
import { splitHalfCharacter, wellFormed } from './well-formed.js';

/** Text that comes within this time of the last commit waits for the next one. */
const WINDOW_MS = 25;

/** More text than this in one window is more than the database keeps up with: the model has to wait. */
const MOST_WAITING_CHARACTERS = 64 * 1024;

/**
 * Collects what a turn's owner has to tell and commits it in batches: the first text and everything that is not
 * text at once, further text in windows of 25 ms, each window's text as one event. One commit is under way at a time.
 */
export class TurnWriter {
  /** The answer as it stands: the text since the last reset. */
  text = '';
  private waiting: TurnEventBody[] = [];
  private waitingCharacters = 0;
  private half = '';
  private timer: NodeJS.Timeout | null = null;
  private committing: Promise<void> | null = null;
  private failure: { error: unknown } | null = null;
  private hasText = false;

  constructor(private readonly commit: (events: TurnEventBody[]) => Promise<void>) {}

  /** Takes an event; rejects once a commit has failed. Resolves at once unless too much is waiting. */
  async write(event: TurnEventBody): Promise<void> {
    if (this.failure) throw this.failure.error;
    if (event.type === 'text-delta') this.addText(event.text);
    else this.add(event);
    while (this.waitingCharacters > MOST_WAITING_CHARACTERS) await this.commitWaiting();
  }

  /** Ends the writing and gives what has not been committed, for the turn's last transaction. */
  async close(): Promise<TurnEventBody[]> {
    if (this.timer) clearTimeout(this.timer);
    await this.committing;
    if (this.half !== '') {
      this.half = '';
      this.pushText('\uFFFD');
    }
    const rest = this.waiting;
    this.waiting = [];
    return rest;
  }

  private add(event: TurnEventBody): void {
    this.waiting.push(event);
    if (event.type === 'text-reset') {
      this.text = '';
      this.half = '';
    }
    this.schedule(0);
  }

  private addText(text: string): void {
    const { whole, half } = splitHalfCharacter(this.half + text);
    this.half = half;
    const clean = wellFormed(whole);
    if (clean === '') return;
    this.pushText(clean);
    this.schedule(this.hasText ? WINDOW_MS : 0);
    this.hasText = true;
  }

  private pushText(text: string): void {
    this.text += text;
    this.waitingCharacters += text.length;
    const last = this.waiting.at(-1);
    if (last?.type === 'text-delta') last.text += text;
    else this.waiting.push({ type: 'text-delta', text });
  }

  private schedule(delayMs: number): void {
    if (this.committing) return;
    if (this.timer && delayMs > 0) return;
    if (this.timer) clearTimeout(this.timer);
    // Even at once means after this round of the event loop: what one read of the socket brought goes together.
    this.timer = setTimeout(() => void this.commitWaiting(), delayMs);
  }

  private commitWaiting(): Promise<void> {
    this.committing ??= this.run();
    return this.committing;
  }

  private async run(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const events = this.waiting;
    this.waiting = [];
    this.waitingCharacters = 0;
    try {
      if (events.length > 0) await this.commit(events);
    } catch (error) {
      this.failure = { error };
    } finally {
      this.committing = null;
    }
    if (this.failure) return;
    const next = this.waiting.at(0);
    if (next) this.schedule(this.waiting.every(({ type }) => type === 'text-delta') ? WINDOW_MS : 0);
  }
}
