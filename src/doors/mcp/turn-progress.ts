import type { ServerContext } from '@modelcontextprotocol/server';

import { counted, fill } from '../../common/wording/wording.js';
import type { TurnEvent } from '../../conversations/turns/turn-event.js';
import type { DoorWording } from '../turn-follower.service.js';

/** Progress is sent each time this much text was added. */
const SHOWN_CHARACTERS = 200;
/** Clients time out after a minute. Some restart their timer with any progress. */
const BEAT_MS = 20_000;

/** Sends a turn's progress to a client that wants it. The first message has the turn's id, to find it again. */
export class TurnProgress {
  private step = 0;
  private text = '';
  private shownLength = 0;

  constructor(
    private readonly turnId: string,
    private readonly request: ServerContext['mcpReq'],
    private readonly wording: DoorWording,
  ) {}

  async tell(event: TurnEvent): Promise<void> {
    if (this.step === 0) await this.send(`turnId: ${this.turnId}`);
    const message = await this.messageOf(event);
    if (message !== null) await this.send(message);
  }

  /** Sends progress without text regularly, even if the turn is silent. */
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
    // The client may have left.
    await this.request.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  }

  private async messageOf(event: TurnEvent): Promise<string | null> {
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
        return fill((await this.wording()).calls, { skill: event.skill });
      case 'skill-finished':
        return `${event.skill}: ${event.callStatus}`;
      case 'plan-decided':
        return event.reason;
      case 'sources-found':
        return counted((await this.wording()).sources, event.sources.length);
      case 'moved-to-background':
        return event.message;
      // Inputs are asked for by the request itself, and its result is the end.
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
