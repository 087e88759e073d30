import type { Assistant } from '../assistants/assistant.entity.js';
import type { Conversation } from '../conversations/conversation.entity.js';
import type { Message } from '../conversations/message.entity.js';
import type { Memory } from '../memory/memory.entity.js';

/** In the order of their importance: what comes first is never left out for what comes after it. */
export const contextSections = ['PREFERENCE', 'PROJECT', 'CONTACT', 'FACT', 'CONVERSATION'] as const;
export type ContextSection = (typeof contextSections)[number];

/** Tokens that a memory context takes at most, counted by the tokenizer. */
export const CONTEXT_BUDGET_TOKENS = 2000;

export interface ContextItem {
  section: ContextSection;
  /** Null for an excerpt of earlier messages. */
  memory: Memory | null;
  /** Of an excerpt, in the order in which they were said. */
  messages: Message[];
  text: string;
  tokens: number;
  score: number;
}

/** What a turn is told of what is remembered. */
export interface MemoryContext {
  /** Exactly what stands in the prompt; empty: nothing is remembered that bears on it. */
  text: string;
  tokens: number;
  budget: number;
  items: ContextItem[];
  /** What would have been told if there had been room. */
  omitted: number;
  cached: boolean;
}

/** What a context is made for. */
export interface ContextRequest {
  memberId: string;
  message: string;
  /** Null: a conversation that is yet to begin. */
  conversation: Conversation | null;
  assistant: Assistant;
  now: Date;
  /** The first message of the conversation that the model is shown as it is; null: none is. */
  shownFrom: string | null;
}
