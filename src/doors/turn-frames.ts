import { isWaiting, type ShownInput, type TurnEvent } from '../conversations/turns/turn-event.js';

/** Where a response ends: with the turn, where that waits for people, or where it moves to the background. */
export type RunEnd = 'done' | 'waiting' | 'background';

/** The part of a turn's log that a response shows. The request alone determines it, so that replays are the same. */
export interface RunPart {
  /** Ids of the inputs that the request answered. The response begins after that wait. Empty: with the turn. */
  answered: ReadonlySet<string>;
  /** Waits before this sequence do not end the response. */
  passesUntil: number;
  followsBackground: boolean;
}

interface Step {
  isShown: boolean;
  /** Whether it is the first shown event. */
  isFirst: boolean;
  /** Null: the response continues. */
  end: RunEnd | null;
}

/** Determines the part of a turn's log that a response shows, event by event. */
class RunWindow {
  /** The turn's open inputs, by id. */
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

/** A protocol's form of a turn's events. Gets all events; frames of hidden ones are not sent. */
export interface TurnMapping {
  begin(event: TurnEvent): object[];
  map(event: TurnEvent, isShown: boolean): object[];
  end(event: TurnEvent, end: RunEnd, pending: readonly ShownInput[]): Promise<object[]>;
}

/** A frame's position: its event's sequence, and its index among that event's frames. */
export interface FramePosition {
  sequence: number;
  frame: number;
}

/** Parses a Last-Event-ID header. Null: not one of ours. */
export function readPosition(id: string): FramePosition | null {
  const [, sequence, frame] = /^(\d{1,10})(?:\.(\d{1,4}))?$/.exec(id) ?? [];
  if (sequence === undefined) return null;
  return { sequence: Number(sequence), frame: frame === undefined ? Number.MAX_SAFE_INTEGER : Number(frame) };
}

interface FramesOptions {
  events: AsyncIterable<TurnEvent>;
  part: Partial<RunPart>;
  mapping: TurnMapping;
  /** The client's last frame. Null: none. */
  after: FramePosition | null;
}

/** A turn's events as server-sent events of another protocol. Each id is the frame's position in the log. */
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
    if (end !== null) frames.push(...(await mapping.end(event, end, [...window.pending.values()])));
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
