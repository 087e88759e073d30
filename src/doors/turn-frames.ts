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
  events: AsyncIterable<TurnEvent>;
  part: Partial<RunPart>;
  mapping: TurnMapping;
  /** The last frame that the client has; null: it has none. */
  after: FramePosition | null;
}

/** A turn's events as server-sent events of another protocol. Each has its place in the log as its id. */
export async function* turnFrames({
  events,
  part,
  mapping,
  after,
}: FramesOptions): AsyncGenerator<string, void, undefined> {
  const window = new RunWindow({ answered: new Set(), passesUntil: 0, followsBackground: false, ...part });
  for await (const event of events) {
    const { isShown, isFirst, end } = window.take(event);
    const frames = isFirst ? mapping.begin(event) : [];
    frames.push(...mapping.map(event, isShown));
    if (end !== null) frames.push(...mapping.end(event, end, [...window.pending.values()]));
    for (const [frame, data] of isShown ? frames.entries() : []) {
      const { sequence } = event;
      if (isAfter({ sequence, frame }, after))
        yield `id: ${sequence}.${frame}\ndata: ${JSON.stringify(data)}\n\n`;
    }
    if (end !== null) return;
  }
}

function isAfter({ sequence, frame }: FramePosition, after: FramePosition | null): boolean {
  if (after === null) return true;
  return sequence > after.sequence || (sequence === after.sequence && frame > after.frame);
}
