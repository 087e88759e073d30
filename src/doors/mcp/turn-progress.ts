import type { ServerContext } from '@modelcontextprotocol/server';

import type { TurnEvent } from '../../conversations/turns/turn-event.js';

/** The end of an answer under way is shown whenever so much has been added. */
const SHOWN_CHARACTERS = 200;
/** Clients give up after a minute; some begin to count anew with whatever they are told. */
const BEAT_MS = 20_000;

/** Tells a client what a turn does, if it wants to know. The first it is told is the turn's id, to find it again by. */
export class TurnProgress {
  private step = 0;
  private text = '';
  private shownLength = 0;

  constructor(
    private readonly turnId: string,
    private readonly request: ServerContext['mcpReq'],
  ) {}

  async tell(event: TurnEvent): Promise<void> {
    if (this.step === 0) await this.send(`turnId: ${this.turnId}`);
    const message = this.messageOf(event);
    if (message !== null) await this.send(message);
  }

  /** Tells that it goes on, without words, also while nothing is heard of the turn. */
  beating(): Disposable {
    const beats = setInterval(
      () => void this.send(this.step === 0 ? `turnId: ${this.turnId}` : null),
      BEAT_MS,
    );
    return { [Symbol.dispose]: () => clearInterval(beats) };
  }

  private async send(message: string | null): Promise<void> {
    const token = this.request._meta?.progressToken;
    this.step += 1;
    if (token === undefined || this.request.signal.aborted) return;
    const params = { progressToken: token, progress: this.step, ...(message !== null && { message }) };
    // A client that has left need not know.
    await this.request.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  }

  private messageOf(event: TurnEvent): string | null {
    switch (event.type) {
      case 'text-delta':
        return this.added(event.text);
      case 'text-reset':
        this.text = '';
        this.shownLength = 0;
        return null;
      case 'status-changed':
        return event.detail ?? event.status;
      case 'skill-started':
        return `Calls ${event.skill}`;
      case 'skill-finished':
        return `${event.skill}: ${event.callStatus}`;
      case 'plan-decided':
        return event.reason;
      case 'sources-found':
        return `${event.sources.length} sources`;
      case 'moved-to-background':
        return event.message;
      // What waits for a person is asked for by the request itself, and its result is the end.
      case 'reasoning-delta':
      case 'skill-loaded':
      case 'approval-requested':
      case 'input-requested':
      case 'input-resolved':
      case 'turn-done':
        return null;
    }
  }

  private added(text: string): string | null {
    this.text += text;
    const isFirst = this.shownLength === 0;
    if (!isFirst && this.text.length - this.shownLength < SHOWN_CHARACTERS) return null;
    this.shownLength = this.text.length;
    return this.text.slice(-SHOWN_CHARACTERS).toWellFormed();
  }
}
