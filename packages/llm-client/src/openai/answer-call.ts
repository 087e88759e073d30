import type { Readable } from 'node:stream';

import { readingShare } from '@palabre/async';

import { type ChatPart, type ChatRequest, ModelError } from '../chat-model.js';
import { PartQueue, type PartSource } from '../part-queue.js';
import { BodyReader } from './body-reader.js';
import type { AnswerReader } from './answer.js';

interface CallTimeouts {
  /** From the request to the first byte of the answer's body. */
  firstByteTimeoutMs: number;
  /** Between two pieces of the answer; before the first of them, between any two bytes. */
  idleTimeoutMs: number;
}

/** An answer that has begun well, and who can read it. */
export interface OpenAnswer {
  body: Readable;
  reader(emit: (part: ChatPart) => void): AnswerReader;
}

/** Parts kept for a reader that lags behind, before the provider is held back. */
const maxWaitingParts = 1000;
/** After the finish reason: for the usage, and for what else may be on its way. Not all send [DONE], or hang up. */
const afterFinishMs = { usage: 3000, nothing: 200 } as const;
/** After [DONE] the connection may end by itself, and so go back to the pool. */
const afterDoneMs = 1000;

/** What is read of an answer, and by whom. */
interface Reading {
  message: Readable;
  answer: AnswerReader;
  body: BodyReader;
}

/** One call: from the open request to the last part. Whatever ends it, the socket is closed or given back. */
export class AnswerCall implements PartSource {
  readonly parts: PartQueue;
  private readonly controller = new AbortController();
  private reading: Reading | null = null;
  private timer: NodeJS.Timeout | undefined;
  private readonly company: string;
  /** Others' answers are read first; calls that off. */
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
    // Stays when the call is over: a socket that breaks while it is given back concerns nobody.
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
    const mayReadOn = readingShare.read(this.company, bytes.length, () => this.readBytes(reading, bytes));
    if (this.parts.isClosed) return;
    if (!mayReadOn) this.holdBack(message);
    if (this.parts.lag > maxWaitingParts) message.pause();
  }

  private holdBack(message: Readable): void {
    message.pause();
    this.letGo ??= readingShare.hold(this.company, () => {
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
        // Comments excuse a model that thinks before it speaks, but not one that stops in the middle.
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
    // It is the reader who is slow, not the provider.
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

/** Lets the connection end by itself, so that it goes back to the pool. */
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
