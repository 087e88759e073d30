import { ZodError } from 'zod';

import { type ChatPart, ModelError } from '../../chat-model.js';
import { Answer, type AnswerContext, type AnswerReader, excerpt, newCallId } from '../answer.js';
import { EchoCollector } from '../echo.js';
import { ProviderRefusal } from '../provider-error.js';
import { type ChatChunk, hasOutputIn, isEmptyChunk, readChatChunk } from './chat-chunk.js';
import { ContentFastPath } from './content-fast-path.js';
import { endingOf } from './finish-reasons.js';
import { ToolCallAssembler } from './tool-call-assembler.js';

/**
 * Reads one chat completion: takes event data or a whole document, emits parts to `emit`. Throws ProviderRefusal for
 * a reported error, ModelError for unreadable data.
 */
export class CompletionReader implements AnswerReader {
  private readonly fastPath = new ContentFastPath();
  private readonly toolCalls = new ToolCallAssembler(newCallId);
  private readonly echo = new EchoCollector();
  private readonly answer: Answer;
  private finishReason: string | null = null;
  private strayData = '';
  /** The last chunk without a part of the answer. */
  private emptyChunk = '';
  private finished = false;
  private pieceCount = 0;
  /** Whether the last chunk had more of the answer. */
  private isGoingOn = true;

  constructor(
    private readonly context: AnswerContext,
    emit: (part: ChatPart) => void,
  ) {
    this.answer = new Answer(context, emit);
  }

  get isFinished(): boolean {
    return this.finished;
  }

  get hasOutput(): boolean {
    return !this.answer.isEmpty || !this.toolCalls.isEmpty;
  }

  get pieces(): number {
    return this.pieceCount;
  }

  /** Some providers put a finish reason and usage into every chunk. Only one without output is the last. */
  get awaits(): 'output' | 'usage' | 'nothing' {
    if (this.finishReason === null) return 'output';
    return this.answer.isCounted && !this.isGoingOn ? 'nothing' : 'usage';
  }

  /** Only the event name `error` matters. */
  event(data: string, name = ''): void {
    if (this.finished) return;
    const isError = name === 'error';
    const text = isError ? null : this.fastPath.read(data);
    if (text !== null) return this.takePlain(text);
    const trimmed = data.trim();
    if (trimmed === '[DONE]') return this.done();
    if (!trimmed.startsWith('{')) return isError ? this.fail(trimmed) : this.setAside(trimmed);
    const chunk = this.parse(trimmed, isError);
    if (isEmptyChunk(chunk)) this.emptyChunk = trimmed;
    this.take(chunk);
    this.fastPath.learn(data, chunk);
  }

  document(text: string): void {
    const chunk = this.parse(text);
    this.take(chunk);
    if (!this.hasOutput && chunk.finishReason === null)
      throw new ModelError('MODEL_UNAVAILABLE', 'The provider answered no completion.', true, excerpt(text));
    this.finish();
  }

  /** A finish reason completes an answer, even without [DONE]. */
  end(cause?: ModelError): void {
    if (this.finished) return;
    if (this.finishReason !== null) return this.finish();
    if (cause) throw cause;
    const message = this.hasOutput
      ? 'The provider broke off in the middle.'
      : 'The provider sent an empty stream.';
    throw new ModelError('MODEL_UNAVAILABLE', message, true, excerpt(this.strayData || this.emptyChunk));
  }

  /** Keep-alive text of proxies, or an error in plain text. The end of the stream shows which. */
  private setAside(data: string): void {
    this.strayData ||= data;
  }

  /** Ignored after the end was announced: the finish reason has the outcome. */
  private fail(body: unknown): void {
    if (this.finishReason !== null) return;
    throw new ProviderRefusal(null, body);
  }

  private done(): void {
    if (!this.hasOutput && this.finishReason === null) return this.end();
    this.finish();
  }

  private parse(text: string, isError = false): ChatChunk {
    try {
      return readChatChunk(JSON.parse(text), { useMessage: !this.hasOutput, isError });
    } catch (error) {
      if (!(error instanceof SyntaxError) && !(error instanceof ZodError)) throw error;
      const message = 'The provider sent a chunk that cannot be read.';
      throw new ModelError('MODEL_UNAVAILABLE', message, true, excerpt(text));
    }
  }

  private take(chunk: ChatChunk): void {
    if (chunk.usage) this.answer.addUsage(chunk.usage);
    if (!isEmptyChunk(chunk)) this.notePiece(hasOutputIn(chunk));
    if (chunk.error) return this.fail(chunk.error);
    this.answer.noteModel(chunk.model);
    if (chunk.reasoning !== '') this.answer.addReasoning(chunk.reasoning);
    if (chunk.text !== '') this.answer.addText(chunk.text);
    if (chunk.fragments.length > 0) this.toolCalls.add(chunk.fragments);
    if (chunk.echo) this.echo.add(chunk.echo);
    this.finishReason ??= chunk.finishReason;
    if (endingOf(this.finishReason) === 'failure') {
      const message = 'The provider gave up in the middle.';
      throw new ModelError('MODEL_UNAVAILABLE', message, true, `finish_reason: ${this.finishReason}`);
    }
  }

  private notePiece(hasOutput: boolean): void {
    this.pieceCount += 1;
    this.isGoingOn = hasOutput;
  }

  private takePlain(text: string): void {
    this.notePiece(true);
    this.answer.addText(text);
  }

  private finish(): void {
    this.finished = true;
    const calls = this.toolCalls.finish(this.context.takenCallIds);
    const { extras } = this.toolCalls;
    const ending = endingOf(this.finishReason);
    this.answer.finish({
      reason: ending === 'failure' ? 'unknown' : ending,
      calls,
      echo: this.echo.finish(calls.map(({ id }, index) => [id, extras[index] ?? null])),
    });
  }
}
