import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@palabre/json';
import {
  ChatModel,
  ModelError,
  type ChatPart,
  type ChatRequest,
  type Echo,
  type StopReason,
  type TextSink,
  type TokenUsage,
  type ToolCall,
} from './chat-model.js';
import { PartQueue, type PartSource } from './part-queue.js';

export type ScriptStep =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'retraction' }
  | { type: 'tool-call'; call: ToolCall }
  | { type: 'finish'; reason: StopReason | null; usage: TokenUsage; echo?: Echo }
  | { type: 'failure'; error: ModelError }
  | { type: 'hang' }
  | { type: 'gate'; until: PromiseLike<unknown> };

export type ScriptedReply = readonly ScriptStep[];

/** The replies to consecutive calls, or a function from request to reply. Calls count from 1. */
export type Script<Request, Reply> = readonly Reply[] | ((request: Request, callNumber: number) => Reply);

export function text(words: string): ScriptStep {
  return { type: 'text', text: words };
}
export function reasoning(words: string): ScriptStep {
  return { type: 'reasoning', text: words };
}
/** The text before it was thoughts. */
export function retraction(): ScriptStep {
  return { type: 'retraction' };
}
/** Arguments given as text are sent unchanged, even if they are not JSON. */
export function toolCall(
  name: string,
  input: JsonObject | string = {},
  id = `call_${randomUUID()}`,
): ScriptStep {
  return {
    type: 'tool-call',
    call: { id, name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  };
}
/** Ends the reply, by default for tool calls if there were any. `echo`: the echo that the model wants back. */
export function finish(
  reason: StopReason | null = null,
  usage: Partial<TokenUsage> = {},
  echo?: Echo,
): ScriptStep {
  return {
    type: 'finish',
    reason,
    ...(echo && { echo }),
    usage: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, source: 'PROVIDER', ...usage },
  };
}
export function failure(error: ModelError): ScriptStep {
  return { type: 'failure', error };
}
/** Says nothing until the call is aborted. */
export function hang(): ScriptStep {
  return { type: 'hang' };
}
/** Continues when the promise is fulfilled. */
export function gate(until: PromiseLike<unknown>): ScriptStep {
  return { type: 'gate', until };
}

/** The reply to a call, or an error after the end of the script. */
export function replyTo<Request, Reply>(
  script: Script<Request, Reply>,
  request: Request,
  callNumber: number,
): Reply {
  if (typeof script === 'function') return script(request, callNumber);
  const reply = script[callNumber - 1];
  if (reply === undefined)
    throw new Error(`The script has ${script.length} replies; this is call ${callNumber}.`);
  return reply;
}

export function stopReasonOf(reply: readonly { type: string }[], told: StopReason | null): StopReason {
  return told ?? (reply.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop');
}

/** A model in memory that follows a script, for tests. A reply without `finish` breaks off like a cut stream. */
export class ScriptedChatModel extends ChatModel {
  readonly requests: ChatRequest[] = [];
  /** Calls that ended early by their signal or reader. */
  aborted = 0;

  constructor(private readonly script: Script<ChatRequest, ScriptedReply>) {
    super();
  }

  override stream(request: ChatRequest, signal: AbortSignal): AsyncIterableIterator<ChatPart> {
    const onAborted = (): void => void (this.aborted += 1);
    const reply = (): ScriptedReply => {
      const { textSink: _textSink, ...asked } = request;
      this.requests.push(structuredClone(asked));
      return replyTo(this.script, request, this.requests.length);
    };
    return new ScriptedCall(reply, request.textSink ?? null, signal, onAborted).parts;
  }
}

class ScriptedCall implements PartSource {
  readonly parts: PartQueue;
  private isOver = false;

  constructor(
    private readonly reply: () => ScriptedReply,
    textSink: TextSink | null,
    private readonly signal: AbortSignal,
    private readonly onAborted: () => void,
  ) {
    this.parts = new PartQueue(this, textSink);
  }

  open(): void {
    if (this.signal.aborted) return this.onAbort();
    this.signal.addEventListener('abort', this.onAbort);
    this.play().catch((error: unknown) => this.finishWith(() => this.parts.fail(error)));
  }

  close(): void {
    this.signal.removeEventListener('abort', this.onAbort);
    if (!this.isOver) this.onAborted();
  }

  private readonly onAbort = (): void => this.parts.fail(this.signal.reason, { dropParts: true });

  private async play(): Promise<void> {
    const reply = this.reply();
    for (const step of reply) {
      if (step.type === 'hang') return;
      if (step.type === 'gate') await step.until;
      else if (step.type === 'failure') throw step.error;
      else if (step.type === 'finish') {
        const reason = stopReasonOf(reply, step.reason);
        const { usage, echo } = step;
        this.parts.push({ type: 'finish', reason, usage, model: 'scripted', ...(echo && { echo }) });
        return this.finishWith(() => this.parts.end());
      } else this.parts.push(step);
      if (this.parts.isClosed) return;
    }
    throw new ModelError('MODEL_UNAVAILABLE', 'The scripted reply has no end.', true);
  }

  private finishWith(end: () => void): void {
    if (this.parts.isClosed) return;
    this.isOver = true;
    end();
  }
}
