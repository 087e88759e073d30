import { randomBytes } from 'node:crypto';

import {
  type ChatPart,
  type Echo,
  ModelError,
  type StopReason,
  type TokenUsage,
  type ToolCall,
} from '../chat-model.js';
import { type EchoContent, MAX_ECHO_BYTES, writeEcho } from './echo.js';
import { LeadingThoughts } from './leading-thoughts.js';
import { estimateTokens } from './token-estimate.js';

/** Reads one answer in one of the protocols: what the provider sent in, parts out. Throws ModelError, ProviderRefusal. */
export interface AnswerReader {
  /** True after the `finish` part. */
  readonly isFinished: boolean;
  /** True from the first word, thought or call on. */
  readonly hasOutput: boolean;
  /** How many events have had something in them so far. */
  readonly pieces: number;
  /** What may still come. */
  readonly awaits: 'output' | 'usage' | 'nothing';
  /** Takes the data of one event, and its name, which is mostly empty. */
  event(data: string, name: string): void;
  /** Takes an answer that was not streamed. */
  document(text: string): void;
  /** The body is over, or was cut by `cause`. */
  end(cause?: ModelError): void;
}

export interface AnswerContext {
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

/** What a provider counted. */
export interface ReportedUsage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  /** Part of the output; null: the provider does not tell. */
  reasoningTokens: number | null;
}

/** More than any model reads in one call: a provider that tells of more has not counted, and no row would hold it. */
const MAX_TOKENS = 100_000_000;

/** Null: what is told cannot be. */
export function plausibleUsage(usage: ReportedUsage): ReportedUsage | null {
  return Math.max(...Object.values(usage).map(Number)) <= MAX_TOKENS ? usage : null;
}

interface AnswerEnd {
  /** As the provider told it; calls in the answer may make another one of it. */
  reason: StopReason;
  calls: readonly ToolCall[];
  /** What the model may want back with its calls; null: nothing. */
  echo: EchoContent | null;
}

/** Makes parts of one answer, whatever protocol it came in, and counts it where the provider did not. */
export class Answer {
  private readonly thoughts: LeadingThoughts;
  private usage: ReportedUsage | null = null;
  private model: string | null = null;
  private output = '';
  private text = '';
  private reasoning = '';
  /** Whether what was told as reasoning came again as text. */
  private isRetold = false;

  constructor(
    private readonly context: AnswerContext,
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

  get isEmpty(): boolean {
    return this.output === '';
  }

  /** Some send zeros first, or for good. */
  get isCounted(): boolean {
    return this.usage !== null && this.usage.inputTokens + this.usage.outputTokens > 0;
  }

  noteModel(model: string | null): void {
    this.model ??= model;
  }

  addText(text: string): void {
    this.output += text;
    if (this.thoughts.isOver) this.giveText(text);
    else this.thoughts.push(text);
  }

  /** Thoughts that the provider tells by themselves. */
  addReasoning(text: string): void {
    this.output += text;
    this.thoughts.areApart();
    this.giveReasoning(text);
  }

  /** Usage may come once, or in each event, growing: the largest is the last word. */
  addUsage(usage: ReportedUsage): void {
    const known = this.usage;
    this.usage = {
      inputTokens: Math.max(known?.inputTokens ?? 0, usage.inputTokens),
      outputTokens: Math.max(known?.outputTokens ?? 0, usage.outputTokens),
      cachedInputTokens: Math.max(known?.cachedInputTokens ?? 0, usage.cachedInputTokens),
      reasoningTokens: usage.reasoningTokens ?? known?.reasoningTokens ?? null,
    };
  }

  finish({ reason: told, calls, echo: content }: AnswerEnd): void {
    this.thoughts.end();
    for (const call of calls) {
      this.output += call.name + call.arguments;
      this.emit({ type: 'tool-call', call });
    }
    const reason = stopReason(told, calls.length > 0);
    // An answer that was cut off may have been all thoughts.
    if (reason === 'stop' && this.thoughts.areMissing) this.context.unopenedThoughts?.expect(false);
    // Of an answer that calls nothing there is no next step for it to be given back with.
    const echo = calls.length === 0 || content === null ? null : this.echoOf(content);
    this.emit({
      type: 'finish',
      reason,
      usage: this.finalUsage(),
      model: this.model,
      ...(echo && { echo }),
    });
  }

  private echoOf(content: EchoContent): Echo | null {
    const echo = writeEcho(content, this.context);
    const bytes = Buffer.byteLength(echo.data);
    if (bytes <= MAX_ECHO_BYTES) return echo;
    this.context.onLongEcho?.(bytes);
    return null;
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
    this.emit({ type: 'no-reasoning' });
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

/** Several providers say `stop`, or nothing, when they mean the calls that they have sent. */
function stopReason(told: StopReason, hasCalls: boolean): StopReason {
  if (hasCalls) return told === 'length' || told === 'content-filter' ? told : 'tool-calls';
  return told === 'tool-calls' ? 'stop' : told;
}

/** The beginning of what a provider sent, for the log. */
export function excerpt(text: string): string {
  return text.slice(0, 2000).toWellFormed();
}

/** Nine letters and digits: the one form that every provider takes back. */
export function newCallId(): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from(randomBytes(9), (byte) => alphabet[byte % alphabet.length]).join('');
}
