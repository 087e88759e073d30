import { DomainError } from '../common/errors/domain-error.js';
import { isWaiting, type ShownInput, type TurnEvent } from '../conversations/turns/turn-event.js';

/** Where a response ends: with the turn, where the turn waits for people, or where it goes on without being waited for. */
export type RunEnd = 'done' | 'waiting' | 'background';

/** Which part of a turn's log one response shows. It follows from the request alone, so that a replay is the same. */
export interface RunPart {
  /** Ids of what the request has answered: the response begins after the wait for them. Empty: with the turn. */
  answered: ReadonlySet<string>;
  /** Waits that ended before this sequence do not end the response. */
  passesUntil: number;
  followsBackground: boolean;
}

interface Step {
  isShown: boolean;
  /** It is the first that is shown. */
  isFirst: boolean;
  /** Null: the response goes on. */
  end: RunEnd | null;
}

/** The part of a turn's log that one response shows, as its events come in. */
export class RunWindow {
  /** What the turn waits for, by id. */
  readonly pending = new Map<string, ShownInput>();
  private readonly asked = new Set<string>();
  private readonly resolved = new Set<string>();
  private state: 'before' | 'next' | 'within' | 'after';

  constructor(private readonly part: RunPart) {
    this.state = part.answered.size === 0 ? 'next' : 'before';
  }

  take(event: TurnEvent): Step {
    this.note(event);
    const isFirst = this.state === 'next' || (this.state === 'before' && event.type === 'turn-done');
    if (isFirst) this.state = 'within';
    const isShown = this.state === 'within';
    const end = isShown ? this.endAt(event) : null;
    if (end !== null) this.state = 'after';
    const isWait = event.type === 'status-changed' && isWaiting(event.status);
    if (this.state === 'before' && isWait && this.part.answered.isSubsetOf(this.asked)) this.state = 'next';
    return { isShown, isFirst, end };
  }

  private note(event: TurnEvent): void {
    const input =
      event.type === 'approval-requested'
        ? event.approval
        : event.type === 'input-requested'
          ? event.input
          : null;
    if (input) {
      this.asked.add(input.id);
      this.pending.set(input.id, input);
    } else if (event.type === 'input-resolved') {
      this.resolved.add(event.inputId);
      this.pending.delete(event.inputId);
    }
  }

  private endAt(event: TurnEvent): RunEnd | null {
    if (event.type === 'turn-done') return 'done';
    if (event.type === 'moved-to-background') return this.part.followsBackground ? null : 'background';
    const mayWait =
      event.type === 'input-resolved' || (event.type === 'status-changed' && isWaiting(event.status));
    const isWaited = mayWait && this.pending.size > 0 && this.part.answered.isSubsetOf(this.resolved);
    return isWaited && event.sequence >= this.part.passesUntil ? 'waiting' : null;
  }
}

/** What a protocol makes of a turn's events. All events come in; frames of those that are not shown are not sent. */
export interface TurnMapping {
  begin(event: TurnEvent): object[];
  map(event: TurnEvent, isShown: boolean): object[];
  end(event: TurnEvent, end: RunEnd, pending: readonly ShownInput[]): object[];
}

/** A frame's place: the sequence of its event, and which of that event's frames it is. */
export interface FramePosition {
  sequence: number;
  frame: number;
}

/** Of a Last-Event-ID header; null: it is none of ours. */
export function readPosition(id: string): FramePosition | null {
  const [, sequence, frame] = /^(\d{1,10})(?:\.(\d{1,4}))?$/.exec(id) ?? [];
  if (sequence === undefined) return null;
  return { sequence: Number(sequence), frame: frame === undefined ? Number.MAX_SAFE_INTEGER : Number(frame) };
}

export interface FramesOptions {
  events: AsyncIterator<TurnEvent>;
  part: RunPart;
  mapping: TurnMapping;
  /** The last frame that the client has; null: it has none. */
  after: FramePosition | null;
  /** Sent after the last frame. */
  trailer?: string;
}

/**
 * A turn's events as server-sent events of another protocol. Each has its place in the log as its id.
 *
 * Not an async generator function: its return() would wait for the turn's next event.
 */
export class TurnFrames implements AsyncGenerator<string, void, undefined> {
  private readonly window: RunWindow;
  private readonly queue: string[] = [];
  private hasEnded = false;

  constructor(private readonly options: FramesOptions) {
    this.window = new RunWindow(options.part);
  }

  /** Whether all frames were read. */
  get isRead(): boolean {
    return this.hasEnded && this.queue.length === 0;
  }

  async next(): Promise<IteratorResult<string, void>> {
    while (this.queue.length === 0 && !this.hasEnded) await this.advance();
    const value = this.queue.shift();
    return value === undefined ? { done: true, value: undefined } : { done: false, value };
  }

  async return(): Promise<IteratorResult<string, void>> {
    await this.options.events.return?.();
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<never> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  private async advance(): Promise<void> {
    const { events, mapping, trailer } = this.options;
    const { done, value: event } = await events.next().catch(endWhereRemoved);
    if (done) {
      this.hasEnded = true;
      return;
    }
    const { isShown, isFirst, end } = this.window.take(event);
    const frames = isFirst ? mapping.begin(event) : [];
    frames.push(...mapping.map(event, isShown));
    if (end !== null) frames.push(...mapping.end(event, end, [...this.window.pending.values()]));
    if (isShown) this.send(event.sequence, frames);
    if (end === null) return;
    if (trailer !== undefined) this.queue.push(trailer);
    this.hasEnded = true;
    await events.return?.();
  }

  private send(sequence: number, frames: readonly object[]): void {
    const { after } = this.options;
    for (const [frame, data] of frames.entries()) {
      const isNew =
        after === null || sequence > after.sequence || (sequence === after.sequence && frame > after.frame);
      if (isNew) this.queue.push(`id: ${sequence}.${frame}\ndata: ${JSON.stringify(data)}\n\n`);
    }
  }
}

/** A turn may be removed while it is followed. */
function endWhereRemoved(error: unknown): IteratorReturnResult<undefined> {
  if (error instanceof DomainError && error.code === 'NOT_FOUND') return { done: true, value: undefined };
  throw error;
}
