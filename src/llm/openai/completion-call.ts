import type { Readable } from 'node:stream';
import { ModelError, type TextSink } from '../chat-model.js';
import { PartQueue, type PartSource } from '../part-queue.js';
import { BodyReader } from './body-reader.js';
import { CompletionReader, type CompletionContext } from './completion-reader.js';

interface CallTimeouts {
  /** From the request to the first byte of the answer's body. */
  firstByteTimeoutMs: number;
  /** Between two pieces of the answer; before the first of them, between any two bytes. */
  idleTimeoutMs: number;
}

/** Parts kept for a reader that lags behind, before the provider is held back. */
const maxWaitingParts = 1000;
/** After the finish reason: for the usage, and for what else may be on its way. Not all send [DONE], or hang up. */
const afterFinishMs = { usage: 3000, nothing: 200 } as const;
/** After [DONE] the connection may end by itself, and so go back to the pool. */
const afterDoneMs = 1000;

/** One call: from the open request to the last part. Whatever ends it, the socket is closed or given back. */
export class CompletionCall implements PartSource {
  readonly parts: PartQueue;
  private readonly controller = new AbortController();
  private readonly completion: CompletionReader;
  private readonly body: BodyReader;
  private message: Readable | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly request: (signal: AbortSignal) => Promise<Readable>,
    private readonly toModelError: (error: unknown) => unknown,
    private readonly timeouts: CallTimeouts,
    { textSink, ...context }: CompletionContext & { textSink?: TextSink | undefined },
    private readonly signal: AbortSignal,
  ) {
    this.parts = new PartQueue(this, textSink);
    this.completion = new CompletionReader(context, (part) => this.parts.push(part));
    this.body = new BodyReader(this.completion);
  }

  open(): void {
    if (this.signal.aborted) return this.onAbort();
    this.signal.addEventListener('abort', this.onAbort);
    const { firstByteTimeoutMs } = this.timeouts;
    this.timer = setTimeout(
      () => this.onSilence(`no answer in ${firstByteTimeoutMs} ms`),
      firstByteTimeoutMs,
    );
    this.request(this.controller.signal).then(this.onMessage, this.onFailure);
  }

  close(): void {
    clearTimeout(this.timer);
    this.signal.removeEventListener('abort', this.onAbort);
    if (this.completion.isFinished && this.message && !this.message.destroyed)
      return this.giveBack(this.message);
    this.controller.abort();
    this.message?.destroy();
  }

  drained(): void {
    if (!this.message?.isPaused()) return;
    this.message.resume();
    this.timer?.refresh();
  }

  private readonly onAbort = (): void => this.parts.fail(this.signal.reason, { dropParts: true });

  private readonly onFailure = (error: unknown): void => this.parts.fail(this.toModelError(error));

  private readonly onMessage = (message: Readable): void => {
    this.message = message;
    // Stays when the call is over: a socket that breaks while it is given back concerns nobody.
    message.on('error', (error) => this.onEnd(brokenOff(error)));
    if (this.parts.isClosed) return void message.destroy();
    message.once('data', () => this.expectMore(this.timeouts.idleTimeoutMs));
    message.on('data', (bytes: Buffer) => this.onData(bytes));
    message.on('end', () => this.onEnd());
  };

  private expectMore(withinMs: number): void {
    clearTimeout(this.timer);
    if (this.parts.isClosed) return;
    this.timer = setTimeout(() => this.onIdle(`silent for ${withinMs} ms`), withinMs);
  }

  private onData(bytes: Buffer): void {
    if (this.parts.isClosed) return;
    this.attempt(() => {
      const { pieces } = this.completion;
      const hasNews = this.body.push(bytes);
      const { awaits, hasOutput } = this.completion;
      if (awaits === 'output') {
        // Comments excuse a model that thinks before it speaks, but not one that stops in the middle.
        if (hasNews || !hasOutput) this.timer?.refresh();
      } else if (this.completion.pieces > pieces) {
        this.expectMore(Math.min(afterFinishMs[awaits], this.timeouts.idleTimeoutMs));
      }
    });
    if (this.parts.lag > maxWaitingParts) this.message?.pause();
  }

  private onEnd(cause?: ModelError): void {
    if (this.parts.isClosed) return;
    this.attempt(() => this.body.end(cause));
  }

  private onIdle(detail: string): void {
    // It is the reader who is slow, not the provider.
    if (this.message?.isPaused()) return void this.timer?.refresh();
    this.onSilence(detail);
  }

  private onSilence(detail: string): void {
    this.onEnd(new ModelError('MODEL_UNAVAILABLE', 'The provider did not answer in time.', true, detail));
  }

  private attempt(step: () => void): void {
    try {
      step();
      if (this.completion.isFinished) this.parts.end();
    } catch (error) {
      this.onFailure(error);
    }
  }

  private giveBack(message: Readable): void {
    const timer = setTimeout(() => message.destroy(), afterDoneMs);
    message.once('close', () => clearTimeout(timer));
    message.resume();
  }
}

function brokenOff(error: NodeJS.ErrnoException): ModelError {
  return new ModelError(
    'MODEL_UNAVAILABLE',
    'The connection to the provider broke off.',
    true,
    [error.code, error.message].filter(Boolean).join(' '),
  );
}
