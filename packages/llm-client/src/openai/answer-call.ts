import type { Readable } from 'node:stream';

import { fairThread } from '@palabre/async';

import { type ChatPart, type ChatRequest, ModelError } from '../chat-model.js';
import { PartQueue, type PartSource } from '../part-queue.js';
import { BodyReader } from './body-reader.js';
import type { AnswerReader } from './answer.js';

interface CallTimeouts {
  /** From the request to the first byte of the answer's body. */
  firstByteTimeoutMs: number;
  /** Between two pieces of the answer, and before the first piece between any two bytes. */
  idleTimeoutMs: number;
}

export interface OpenAnswer {
  body: Readable;
  reader(emit: (part: ChatPart) => void): AnswerReader;
}

/** The most parts kept for a slow reader before the provider is paused. */
const maxWaitingParts = 1000;
/** Time after the finish reason for usage and anything else. Not all providers send [DONE] or close. */
const afterFinishMs = { usage: 3000, nothing: 200 } as const;
/** Time after [DONE] for the connection to end by itself and return to the pool. */
const afterDoneMs = 1000;

interface Reading {
  message: Readable;
  answer: AnswerReader;
  body: BodyReader;
}

/** One call from the open request to the last part. At its end the socket is always closed or returned. */
export class AnswerCall implements PartSource {
  readonly parts: PartQueue;
  private readonly controller = new AbortController();
  private reading: Reading | null = null;
  private timer: NodeJS.Timeout | undefined;
  private readonly company: string;
  /** Cancels the wait while others' answers are read. */
  private letGo: (() => void) | null = null;

  constructor(
    private readonly request: (signal: AbortSignal) => Promise<OpenAnswer>,
    private readonly toModelError: (error: unknown) => unknown,
    private readonly timeouts: CallTimeouts,
    private readonly signal: AbortSignal,
    { textSink, companyId = '' }: Pick<ChatRequest, 'textSink' | 'companyId'> = {},
  ) {
    this.parts = new PartQueue(this, textSink);
    this.company = companyId;
  }

  open(): void {
    if (this.signal.aborted) return this.onAbort();
    this.signal.addEventListener('abort', this.onAbort);
    const { firstByteTimeoutMs } = this.timeouts;
    this.timer = setTimeout(
      () => this.onSilence(`no answer in ${firstByteTimeoutMs} ms`),
      firstByteTimeoutMs,
    );
    this.request(this.controller.signal).then(this.onAnswer, this.onFailure);
  }

  close(): void {
    clearTimeout(this.timer);
    this.letGo?.();
    this.signal.removeEventListener('abort', this.onAbort);
    const { reading } = this;
    if (reading?.answer.isFinished && !reading.message.destroyed) return giveBack(reading.message);
    this.controller.abort();
    reading?.message.destroy();
  }

  drained(): void {
    if (this.letGo || !this.reading?.message.isPaused()) return;
    this.reading.message.resume();
    this.timer?.refresh();
  }

  private readonly onAbort = (): void => this.parts.fail(this.signal.reason, { dropParts: true });

  private readonly onFailure = (error: unknown): void => this.parts.fail(this.toModelError(error));

  private readonly onAnswer = ({ body: message, reader }: OpenAnswer): void => {
    const answer = reader((part) => this.parts.push(part));
    const reading = { message, answer, body: new BodyReader(answer) };
    this.reading = reading;
    // Kept after the call, because a socket that breaks on its way back must not throw.
    message.on('error', (error) => this.onEnd(brokenOff(error)));
    if (this.parts.isClosed) return void message.destroy();
    message.once('data', () => this.expectMore(this.timeouts.idleTimeoutMs));
    message.on('data', (bytes: Buffer) => this.onData(reading, bytes));
    message.on('end', () => this.onEnd());
  };

  private expectMore(withinMs: number): void {
    clearTimeout(this.timer);
    if (this.parts.isClosed) return;
    this.timer = setTimeout(() => this.onIdle(`silent for ${withinMs} ms`), withinMs);
  }

  private onData(reading: Reading, bytes: Buffer): void {
    if (this.parts.isClosed) return;
    const { message } = reading;
    const mayReadOn = fairThread.read(this.company, bytes.length, () => this.readBytes(reading, bytes));
    if (this.parts.isClosed) return;
    if (!mayReadOn) this.holdBack(message);
    if (this.parts.lag > maxWaitingParts) message.pause();
  }

  private holdBack(message: Readable): void {
    message.pause();
    this.letGo ??= fairThread.hold(this.company, () => {
      this.letGo = null;
      if (this.parts.lag <= maxWaitingParts) this.drained();
    });
  }

  private readBytes({ answer, body }: Reading, bytes: Buffer): void {
    this.attempt(() => {
      const { pieces } = answer;
      const hasNews = body.push(bytes);
      const { awaits, hasOutput } = answer;
      if (awaits === 'output') {
        // Comments extend the wait for the first output, but not for more of an answer that has begun.
        if (hasNews || !hasOutput) this.timer?.refresh();
      } else if (answer.pieces > pieces) {
        this.expectMore(Math.min(afterFinishMs[awaits], this.timeouts.idleTimeoutMs));
      }
    });
  }

  private onEnd(cause?: ModelError): void {
    if (this.parts.isClosed) return;
    const { reading } = this;
    if (reading) this.attempt(() => reading.body.end(cause));
    else if (cause) this.onFailure(cause);
  }

  private onIdle(detail: string): void {
    // The reader is slow, not the provider.
    if (this.reading?.message.isPaused()) return void this.timer?.refresh();
    this.onSilence(detail);
  }

  private onSilence(detail: string): void {
    this.onEnd(new ModelError('MODEL_UNAVAILABLE', 'The provider did not answer in time.', true, detail));
  }

  private attempt(step: () => void): void {
    try {
      step();
      if (this.reading?.answer.isFinished) this.parts.end();
    } catch (error) {
      this.onFailure(error);
    }
  }
}

/** Lets the connection end by itself, so that it returns to the pool. */
function giveBack(message: Readable): void {
  const timer = setTimeout(() => message.destroy(), afterDoneMs);
  message.once('close', () => clearTimeout(timer));
  message.resume();
}

function brokenOff(error: NodeJS.ErrnoException): ModelError {
  return new ModelError(
    'MODEL_UNAVAILABLE',
    'The connection to the provider broke off.',
    true,
    [error.code, error.message].filter(Boolean).join(' '),
  );
}
