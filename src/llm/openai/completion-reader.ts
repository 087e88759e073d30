import { randomBytes } from 'node:crypto';
import { ZodError } from 'zod';

import {
  type ChatPart,
  type Echo,
  ModelError,
  type StopReason,
  type TokenUsage,
  type ToolCall,
} from '../chat-model.js';
import { EchoCollector, MOST_ECHO_BYTES, writeEcho } from './echo.js';
import { endingOf } from './finish-reasons.js';
import { providerError } from './provider-error.js';
import { estimateTokens } from './token-estimate.js';
import { type ChatChunk, type ChunkUsage, hasOutputIn, isEmptyChunk, readChatChunk } from './chat-chunk.js';
import { ContentFastPath } from './content-fast-path.js';
import { LeadingThoughts } from './leading-thoughts.js';
import { ToolCallAssembler } from './tool-call-assembler.js';

export interface CompletionContext {
  model: string;
  /** Where it is asked. */
  provider: string;
  /** Ids of calls that stand in the conversation already. */
  takenCallIds: Iterable<string>;
  /** Tokens of the request, for a provider that does not count. */
  estimateInput: () => number;
  /** Told of what the model may want back and is too long to be kept. */
  onLongEcho?: (bytes: number) => void;
  /** Left out: nobody remembers it from one answer of the model to the next. */
  unopenedThoughts?: UnopenedThoughts;
}

/** Whether the model's text begins in the midst of thoughts that its chat template has opened. */
export interface UnopenedThoughts {
  areExpected: boolean;
  /** Told where an answer shows it to be otherwise. */
  expect(areExpected: boolean): void;
}

/**
 * Reads one completion: data of events, or a whole document, in; parts out to `emit`.
 * Everything that cannot be read, or is an error, is thrown as ModelError.
 */
export class CompletionReader {
  private readonly fastPath = new ContentFastPath();
  private readonly toolCalls = new ToolCallAssembler(newCallId);
  private readonly echo = new EchoCollector();
  private readonly thoughts: LeadingThoughts;
  private usage: ChunkUsage | null = null;
  private finishReason: string | null = null;
  private model: string | null = null;
  private output = '';
  private text = '';
  private reasoning = '';
  /** Whether what was told as reasoning came again as text. */
  private isRetold = false;
  private strayData = '';
  /** The last one that had nothing of an answer in it. */
  private emptyChunk = '';
  private finished = false;
  private pieceCount = 0;
  /** Whether the last piece had more of the answer in it. */
  private isGoingOn = true;

  constructor(
    private readonly context: CompletionContext,
    private readonly emit: (part: ChatPart) => void,
  ) {
    const listener = {
      onThought: (text: string): void => this.giveReasoning(text),
      onText: (text: string): void => this.giveText(text),
      onUnopened: (): void => this.retract(),
      onNone: (): void => this.noReasoning(),
    };
    this.thoughts = new LeadingThoughts(listener, {
      areBegun: context.unopenedThoughts?.areExpected ?? false,
    });
  }

  /** True after the `finish` part. */
  get isFinished(): boolean {
    return this.finished;
  }

  /** True from the first word, thought or call on. */
  get hasOutput(): boolean {
    return this.output !== '' || !this.toolCalls.isEmpty;
  }

  /** How many chunks have had something in them so far. */
  get pieces(): number {
    return this.pieceCount;
  }

  /** What may still come. Some put a finish reason and usage into every chunk: only one without output is the last. */
  get awaits(): 'output' | 'usage' | 'nothing' {
    if (this.finishReason === null) return 'output';
    return this.isCounted && !this.isGoingOn ? 'nothing' : 'usage';
  }

  /** Takes the data of one event; its name matters only where it is `error`. */
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

  /** Takes a completion that was not streamed. */
  document(text: string): void {
    const chunk = this.parse(text);
    this.take(chunk);
    if (!this.hasOutput && chunk.finishReason === null) {
      throw new ModelError('MODEL_UNAVAILABLE', 'The provider answered no completion.', true, cut(text));
    }
    this.finish();
  }

  /** The body is over, or was cut by `cause`. A finish reason makes it whole, also without [DONE]. */
  end(cause?: ModelError): void {
    if (this.finished) return;
    if (this.finishReason !== null) return this.finish();
    if (cause) throw cause;
    const message = this.hasOutput
      ? 'The provider broke off in the middle.'
      : 'The provider sent an empty stream.';
    throw new ModelError('MODEL_UNAVAILABLE', message, true, cut(this.strayData || this.emptyChunk));
  }

  /** Keep-alive words of proxies, and errors in plain text, which the end of the stream will show to be one. */
  private setAside(data: string): void {
    this.strayData ||= data;
  }

  /** Not where the end had been told before: the finish reason says what came of it. */
  private fail(body: unknown): void {
    if (this.finishReason !== null) return;
    throw providerError({ status: null, body, model: this.context.model });
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
      throw new ModelError('MODEL_UNAVAILABLE', message, true, cut(text));
    }
  }

  private take(chunk: ChatChunk): void {
    if (chunk.usage) this.takeUsage(chunk.usage);
    if (!isEmptyChunk(chunk)) this.notePiece(hasOutputIn(chunk));
    if (chunk.error) return this.fail(chunk.error);
    this.model ??= chunk.model;
    if (chunk.reasoning !== '') {
      this.output += chunk.reasoning;
      this.thoughts.areApart();
      this.giveReasoning(chunk.reasoning);
    }
    if (chunk.text !== '') this.takeText(chunk.text);
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
    this.takeText(text);
  }

  private takeText(text: string): void {
    this.output += text;
    if (this.thoughts.isOver) this.giveText(text);
    else this.thoughts.push(text);
  }

  private giveText(text: string): void {
    this.text += text;
    this.emit({ type: 'text', text });
  }

  private giveReasoning(text: string): void {
    this.reasoning += text;
    this.emit({ type: 'reasoning', text });
  }

  private retract(): void {
    this.context.unopenedThoughts?.expect(true);
    if (this.text === '') return;
    this.reasoning += this.text;
    this.text = '';
    this.emit({ type: 'retraction' });
  }

  private noReasoning(): void {
    this.reasoning = '';
    this.isRetold = true;
  }

  /** Usage may come once, or in each chunk, growing: the largest is the last word. */
  private takeUsage(usage: ChunkUsage): void {
    const known = this.usage;
    this.usage = {
      inputTokens: Math.max(known?.inputTokens ?? 0, usage.inputTokens),
      outputTokens: Math.max(known?.outputTokens ?? 0, usage.outputTokens),
      cachedInputTokens: Math.max(known?.cachedInputTokens ?? 0, usage.cachedInputTokens),
      reasoningTokens: usage.reasoningTokens ?? known?.reasoningTokens ?? null,
    };
  }

  private finish(): void {
    this.finished = true;
    this.thoughts.end();
    const calls = this.toolCalls.finish(this.context.takenCallIds);
    for (const call of calls) {
      this.output += call.name + call.arguments;
      this.emit({ type: 'tool-call', call });
    }
    const reason = this.stopReason(calls.length > 0);
    // An answer that was cut off may have been all thoughts.
    if (reason === 'stop' && this.thoughts.areMissing) this.context.unopenedThoughts?.expect(false);
    const echo = this.echoOf(calls);
    this.emit({
      type: 'finish',
      reason,
      usage: this.finalUsage(),
      model: this.model,
      ...(echo && { echo }),
    });
  }

  /** Of an answer that calls nothing there is no next step for it to be given back with. */
  private echoOf(calls: readonly ToolCall[]): Echo | null {
    if (calls.length === 0) return null;
    const { extras } = this.toolCalls;
    const content = this.echo.finish(calls.map(({ id }, index) => [id, extras[index] ?? null]));
    if (content === null) return null;
    const echo = writeEcho(content, this.context);
    const bytes = Buffer.byteLength(echo.data);
    if (bytes <= MOST_ECHO_BYTES) return echo;
    this.context.onLongEcho?.(bytes);
    return null;
  }

  private stopReason(hasCalls: boolean): StopReason {
    const ending = endingOf(this.finishReason);
    const told = ending === 'failure' ? 'unknown' : ending;
    // Several providers say `stop`, or nothing, when they mean the calls that they have sent.
    if (hasCalls) return told === 'length' || told === 'content-filter' ? told : 'tool-calls';
    return told === 'tool-calls' ? 'stop' : told;
  }

  /** Some send zeros first, or for good. */
  private get isCounted(): boolean {
    return this.usage !== null && this.usage.inputTokens + this.usage.outputTokens > 0;
  }

  private finalUsage(): TokenUsage {
    const { usage } = this;
    if (usage && this.isCounted) {
      const { reasoningTokens, ...counted } = usage;
      return {
        ...counted,
        ...this.reasoningUsage(reasoningTokens, counted.outputTokens),
        source: 'PROVIDER',
      };
    }
    const outputTokens = estimateTokens(this.output);
    return {
      inputTokens: this.context.estimateInput(),
      outputTokens,
      cachedInputTokens: 0,
      ...this.reasoningUsage(null, outputTokens),
      source: 'ESTIMATED',
    };
  }

  /** As told, else estimated from what there was to read. */
  private reasoningUsage(told: number | null, outputTokens: number): Pick<TokenUsage, 'reasoningTokens'> {
    const reasoningTokens = Math.min(told ?? estimateTokens(this.reasoning), outputTokens);
    return reasoningTokens > 0 || this.isRetold ? { reasoningTokens } : {};
  }
}

function cut(text: string): string {
  return text.slice(0, 2000).toWellFormed();
}

/** Nine letters and digits: the one form that every provider takes back. */
function newCallId(): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from(randomBytes(9), (byte) => alphabet[byte % alphabet.length]).join('');
}
