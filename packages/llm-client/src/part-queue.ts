import type { ChatPart, TextSink } from './chat-model.js';

/** The source of a queue of parts. The first `next()` begins it, and it is closed when nobody reads on. */
export interface PartSource {
  open(): void;
  /** Called once: after the last part, a failure, or when the reader leaves. */
  close(): void;
  /** The reader has caught up. */
  drained?(): void;
}

interface Waiting {
  resolve(result: IteratorResult<ChatPart, undefined>): void;
  reject(reason: unknown): void;
}

const over: IteratorResult<ChatPart, undefined> = { done: true, value: undefined };

/**
 * Parts from a source that pushes, to one reader that pulls. Written by hand because a native generator that
 * awaits a silent source puts off `return()` until the source speaks.
 */
export class PartQueue implements AsyncIterableIterator<ChatPart, undefined> {
  private readonly waiting: Waiting[] = [];
  private parts: ChatPart[] = [];
  private head = 0;
  /** Parts since the queue was last empty. */
  private pushed = 0;
  private state: 'new' | 'open' | 'closed' = 'new';
  private failure: { reason: unknown } | null = null;
  /** Text for the sink of this round of the event loop, so that one read of the socket is passed on together. */
  private textForSink = '';

  constructor(
    private readonly source: PartSource,
    private readonly sink: TextSink | null = null,
  ) {}

  /** How far the reader lags behind: parts since the queue was last empty. */
  get lag(): number {
    return this.pushed;
  }

  get isClosed(): boolean {
    return this.state === 'closed';
  }

  push(part: ChatPart): void {
    if (this.state === 'closed') return;
    // A waiting reader has received everything before.
    if (part.type === 'text' && this.waiting.length > 0 && this.sink?.isReady)
      return this.giveToSink(part.text);
    this.emptyIntoSink();
    const reader = this.waiting.shift();
    if (reader) reader.resolve({ done: false, value: part });
    else this.putInLine(part);
  }

  /** Ends the parts: the reader gets the waiting ones, then the end. */
  end(): void {
    if (this.state === 'closed') return;
    this.emptyIntoSink();
    this.close();
    for (const reader of this.waiting.splice(0)) reader.resolve(over);
  }

  /** The reader gets the waiting parts, then `reason`. After an abort it gets no parts. */
  fail(reason: unknown, options: { dropParts: boolean } = { dropParts: false }): void {
    if (this.state === 'closed') return;
    if (options.dropParts) this.drop();
    else this.emptyIntoSink();
    this.close();
    const [reader, ...others] = this.waiting.splice(0);
    if (reader) reader.reject(reason);
    else this.failure = { reason };
    for (const other of others) other.resolve(over);
  }

  next(): Promise<IteratorResult<ChatPart, undefined>> {
    if (this.state === 'new') {
      this.state = 'open';
      this.source.open();
    }
    const part = this.parts[this.head];
    if (part !== undefined) return Promise.resolve({ done: false, value: this.taken(part) });
    if (this.failure) {
      const { reason } = this.failure;
      this.failure = null;
      return Promise.reject(reason);
    }
    if (this.state === 'closed') return Promise.resolve(over);
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  return(): Promise<IteratorResult<ChatPart, undefined>> {
    this.drop();
    this.failure = null;
    this.end();
    return Promise.resolve(over);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Waiting text is joined: one read of the socket is one part. */
  private putInLine(part: ChatPart): void {
    this.pushed += 1;
    const last = this.parts.at(-1);
    if (last !== undefined && 'text' in last && 'text' in part && part.type === last.type) {
      this.parts[this.parts.length - 1] = { type: part.type, text: last.text + part.text };
    } else {
      this.parts.push(part);
    }
  }

  private taken(part: ChatPart): ChatPart {
    this.head += 1;
    if (this.head === this.parts.length) {
      this.drop();
      if (this.state === 'open') this.source.drained?.();
    }
    return part;
  }

  private giveToSink(text: string): void {
    if (this.textForSink === '') queueMicrotask(() => this.emptyIntoSink());
    this.textForSink += text;
  }

  private emptyIntoSink(): void {
    const text = this.textForSink;
    this.textForSink = '';
    if (text !== '') this.sink?.take(text);
  }

  private drop(): void {
    this.textForSink = '';
    this.parts = [];
    this.head = 0;
    this.pushed = 0;
  }

  private close(): void {
    this.state = 'closed';
    this.source.close();
  }
}
