import type { ChatMessage } from '../../llm/chat-model.js';
import type { ModelCallPurpose } from '../turn-event.js';
import { isAside } from './model-call.js';

/** What of a prompt is new. `kept` messages at its beginning are those of the prompt before it. */
export interface PromptDelta {
  kept: number;
  messages: readonly ChatMessage[];
}

/** The same of a stored call. One that was made beside its turn holds its whole prompt, and stands in no row. */
export interface StoredDelta extends PromptDelta {
  purpose: ModelCallPurpose;
}

/** A turn's prompts begin alike, so that of each only what differs from the one before it is stored. */
export class PromptDeltas {
  private before: readonly ChatMessage[] = [];

  next(messages: readonly ChatMessage[]): PromptDelta {
    const differs = messages.findIndex((message, index) => !isSame(message, this.before[index]));
    const kept = differs < 0 ? messages.length : differs;
    this.before = messages;
    return { kept, messages: messages.slice(kept) };
  }
}

/** The whole prompts again, from the deltas in their order: calls made beside the turn may stand between its own. */
export const wholePrompts = (deltas: readonly StoredDelta[]): ChatMessage[][] => {
  let before: ChatMessage[] = [];
  return deltas.map(({ purpose, kept, messages }) => {
    if (isAside(purpose)) return [...messages];
    before = [...before.slice(0, kept), ...messages];
    return before;
  });
};

const isSame = (a: ChatMessage, b: ChatMessage | undefined): boolean =>
  a === b ||
  (b !== undefined &&
    a.role === b.role &&
    a.content === b.content &&
    callsOf(a) === callsOf(b) &&
    toolCallIdOf(a) === toolCallIdOf(b));

const callsOf = (message: ChatMessage): string =>
  message.role === 'assistant' && message.toolCalls ? JSON.stringify(message.toolCalls) : '';

const toolCallIdOf = (message: ChatMessage): string => (message.role === 'tool' ? message.toolCallId : '');
