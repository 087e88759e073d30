import type { JsonObject } from '@palabre/json';

import { fill } from '../../common/wording/wording.js';
import {
  isWaiting,
  noUsage,
  type ShownInput,
  type TurnEvent,
  type Usage,
} from '../../conversations/turns/turn-event.js';
import type { DoorWording } from '../turn-follower.service.js';
import { prefixed, type ResponseAddress } from './openai-ids.js';
import { functionCallOf } from './response-mapper.js';
import { secondsOf } from './response-object.js';

export interface CompletionFacts {
  id: string;
  createdAt: Date;
  /** The requested assistant's key. */
  model: string;
}

export function completionId({ turnId, from }: ResponseAddress): string {
  return from === 0 ? prefixed('chatcmpl', turnId) : `${prefixed('chatcmpl', turnId)}_${from}`;
}

type Finish = 'stop' | 'length' | 'tool_calls';

/** Maps a turn's events to a chat completion: chunks as they come, and the whole. */
export class ChatMapper {
  /** The answer so far. */
  private text = '';
  private reasoning = '';
  /** Text was withdrawn after it was sent. Chunks cannot be taken back. */
  private isWithdrawn = false;
  private readonly toolCalls: JsonObject[] = [];
  private finish: Finish | null = null;
  private usage: JsonObject = chatUsage(noUsage, 0);
  failure: { code: string; message: string } | null = null;

  constructor(
    private readonly facts: CompletionFacts,
    private readonly tellsUsage: boolean,
    private readonly wording: DoorWording,
  ) {}

  get isOver(): boolean {
    return this.finish !== null || this.failure !== null;
  }

  begin(): JsonObject[] {
    return [this.chunk({ role: 'assistant', content: '' })];
  }

  async take(event: TurnEvent, reasoningTokens: number): Promise<JsonObject[]> {
    switch (event.type) {
      case 'text-delta':
        return this.say(event.text);
      case 'reasoning-delta':
        this.reasoning += event.text;
        return [this.chunk({ reasoning_content: event.text })];
      case 'text-reset':
        this.isWithdrawn ||= this.text !== '';
        this.text = '';
        this.reasoning = '';
        return [];
      case 'approval-requested':
        return this.ask(event.approval);
      case 'input-requested':
        return this.ask(event.input);
      // The client cannot request the later answer.
      case 'moved-to-background':
        return [...this.say(event.message), ...this.end('stop')];
      case 'status-changed':
        if (!isWaiting(event.status)) return [];
        return this.end(this.toolCalls.length > 0 ? 'tool_calls' : 'stop');
      case 'turn-done':
        this.usage = chatUsage(event.usage, reasoningTokens);
        if (event.status !== 'FAILED')
          return this.end(event.finishReason === 'MAX_TOKENS' ? 'length' : 'stop');
        this.failure = {
          code: (event.error?.code ?? 'INTERNAL').toLowerCase(),
          message: event.error?.message ?? (await this.wording()).failed,
        };
        return [];
      case 'plan-decided':
      case 'skill-started':
      case 'skill-finished':
      case 'skill-loaded':
      case 'sources-found':
      case 'input-resolved':
        return [];
    }
  }

  /** The whole completion, without withdrawn text. */
  get completion(): JsonObject {
    const message = {
      role: 'assistant',
      content: this.text === '' && this.toolCalls.length > 0 ? null : this.text,
      refusal: null,
      ...(this.reasoning !== '' && { reasoning_content: this.reasoning }),
      ...(this.toolCalls.length > 0 && { tool_calls: this.toolCalls }),
    };
    const choice = { index: 0, message, logprobs: null, finish_reason: this.finish ?? 'stop' };
    return { ...this.head('chat.completion'), choices: [choice], usage: this.usage };
  }

  /** A complete answer, such as that of a task. */
  tell(text: string, isCut: boolean, usage: JsonObject): JsonObject[] {
    this.usage = usage;
    return [...this.say(text), ...this.end(isCut ? 'length' : 'stop')];
  }

  private say(text: string): JsonObject[] {
    if (text === '') return [];
    // An empty line separates the answer from withdrawn text: see QuestionPlaces.
    const gap = this.isWithdrawn && this.text === '' ? '\n\n' : '';
    this.text += text;
    return [this.chunk({ content: `${gap}${text}` })];
  }

  private async ask(input: ShownInput): Promise<JsonObject[]> {
    const call = input.kind === 'CLIENT_SKILL' ? functionCallOf(input) : null;
    if (!call) return this.say(`${this.text === '' ? '' : '\n\n'}${await this.textOf(input)}`);
    const index = this.toolCalls.length;
    const fn = { name: call.name, arguments: call.given };
    const toolCall = { id: prefixed('call', input.id), type: 'function', function: fn };
    this.toolCalls.push(toolCall);
    return [this.chunk({ tool_calls: [{ index, ...toolCall }] })];
  }

  /** The turn's input as text, if the client has no other way to show it. */
  private async textOf(input: ShownInput): Promise<string> {
    if (input.kind === 'QUESTION') return input.prompt;
    if (input.kind === 'MCP_INPUT') return [input.message, input.url ?? ''].join('\n').trim();
    return fill((await this.wording()).waitsForApproval, { skill: input.skill });
  }

  private end(finish: Finish): JsonObject[] {
    this.finish = finish;
    const last = this.chunk({}, finish);
    const { usage } = this;
    return this.tellsUsage ? [last, { ...this.head(CHUNK), choices: [], usage }] : [last];
  }

  private chunk(delta: JsonObject, finish: Finish | null = null): JsonObject {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
    return { ...this.head(CHUNK), choices, ...(this.tellsUsage && { usage: null }) };
  }

  private head(object: string): JsonObject {
    const { id, createdAt, model } = this.facts;
    return { id, object, created: secondsOf(createdAt), model };
  }
}

const CHUNK = 'chat.completion.chunk';

/** Usage in the form of chat completions. */
export function chatUsage(
  {
    inputTokens,
    outputTokens,
    cachedInputTokens,
  }: Pick<Usage, 'inputTokens' | 'outputTokens' | 'cachedInputTokens'>,
  reasoningTokens: number,
): JsonObject {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  };
}
