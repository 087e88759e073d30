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

/** Reads an answer in one protocol: takes provider data, emits parts. Throws ModelError, ProviderRefusal. */
export interface AnswerReader {
  /** True after the `finish` part. */
  readonly isFinished: boolean;
  /** True from the first text, thought or call. */
  readonly hasOutput: boolean;
  /** The number of non-empty events so far. */
  readonly pieces: number;
  /** What is still to come. */
  readonly awaits: 'output' | 'usage' | 'nothing';
  /** Takes an event's data and name. The name is mostly empty. */
  event(data: string, name: string): void;
  /** Takes an answer that was not streamed. */
  document(text: string): void;
  /** The body ended, or `cause` cut it. */
  end(cause?: ModelError): void;
}

export interface AnswerContext {
  model: string;
  /** The provider's address. */
  provider: string;
  /** Ids of earlier calls in the conversation. */
  takenCallIds: Iterable<string>;
  /** Estimates the request's tokens, for a provider that does not count. */
  estimateInput: () => number;
  /** Called when an echo is too long to keep. */
  onLongEcho?: (bytes: number) => void;
  /** Default: not remembered between answers. */
  unopenedThoughts?: UnopenedThoughts;
}

/** Whether the model's text begins inside thoughts, because its chat template opens them. */
export interface UnopenedThoughts {
  areExpected: boolean;
  /** Called when an answer shows that it is otherwise. */
  expect(areExpected: boolean): void;
}

export interface ReportedUsage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  /** Part of the output. Null: not reported. */
  reasoningTokens: number | null;
}

/** More than any model reads in a call. Higher counts are wrong, and no row could store them. */
const MAX_TOKENS = 100_000_000;

/** Null: implausible counts. */
export function plausibleUsage(usage: ReportedUsage): ReportedUsage | null {
  return Math.max(...Object.values(usage).map(Number)) <= MAX_TOKENS ? usage : null;
}

interface AnswerEnd {
  /** The provider's reason. Calls in the answer may change it. */
  reason: StopReason;
  calls: readonly ToolCall[];
  /** What the model may need back with its calls. Null: nothing. */
  echo: EchoContent | null;
}

/** Turns one answer into parts, whatever its protocol, and counts tokens if the provider did not. */
export class Answer {
  private readonly thoughts: LeadingThoughts;
  private usage: ReportedUsage | null = null;
  private model: string | null = null;
  private output = '';
  private text = '';
  private reasoning = '';
  /** Whether text repeats what was emitted as reasoning. */
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

  /** Some providers send zeros first, or always. */
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

  /** Adds thoughts that the provider sends separately. */
  addReasoning(text: string): void {
    this.output += text;
    this.thoughts.areApart();
    this.giveReasoning(text);
  }

  /** Usage may come once, or growing with each event. The largest wins. */
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
    // An answer that was cut off may consist of thoughts only.
    if (reason === 'stop' && this.thoughts.areMissing) this.context.unopenedThoughts?.expect(false);
    // Without calls there is no next step that could return the echo.
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

  /** The reported count, else an estimate. */
  private reasoningUsage(told: number | null, outputTokens: number): Pick<TokenUsage, 'reasoningTokens'> {
    const reasoningTokens = Math.min(told ?? estimateTokens(this.reasoning), outputTokens);
    return reasoningTokens > 0 || this.isRetold ? { reasoningTokens } : {};
  }
}

/** Several providers report `stop`, or nothing, with calls. */
function stopReason(told: StopReason, hasCalls: boolean): StopReason {
  if (hasCalls) return told === 'length' || told === 'content-filter' ? told : 'tool-calls';
  return told === 'tool-calls' ? 'stop' : told;
}

/** The beginning of what a provider sent, for the log. */
export function excerpt(text: string): string {
  return text.slice(0, 2000).toWellFormed();
}

/** Nine letters and digits: the only form that every provider accepts. */
export function newCallId(): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from(randomBytes(9), (byte) => alphabet[byte % alphabet.length]).join('');
}
