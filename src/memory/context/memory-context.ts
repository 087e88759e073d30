import type { Assistant } from '../../companies/assistants/assistant.repository.js';
import type { Conversation } from '../../conversations/conversation.repository.js';
import type { Message } from '../../conversations/message.repository.js';
import type { Memory } from '../memory.entity.js';

/** In the order of the text. */
export const contextSections = ['PREFERENCE', 'PROJECT', 'CONTACT', 'FACT', 'CONVERSATION'] as const;
export type ContextSection = (typeof contextSections)[number];

/** The most tokens of a memory context, by the tokenizer's count. */
export const CONTEXT_BUDGET_TOKENS = 2000;

/** What preferences leave to projects and contacts, to facts and to excerpts each, and these to later sections. */
export const RESERVED_TOKENS = 400;

/** The tokens that relevant facts get before excerpts do. */
export const FACT_SHARE_TOKENS = 600;

/** Irrelevant memories are included up to this many tokens, in room that nothing else needs. */
export const MEMORY_SHARE_TOKENS = 1000;

export interface ContextItem {
  section: ContextSection;
  /** Null for an excerpt of earlier messages. */
  memory: Memory | null;
  /** The messages of an excerpt, the oldest first. */
  messages: Message[];
  text: string;
  tokens: number;
  score: number;
}

/** The memories and excerpts that are added to a turn's prompt. */
export interface MemoryContext {
  /** The exact text in the prompt. Empty: nothing relevant is remembered. */
  text: string;
  tokens: number;
  budget: number;
  items: ContextItem[];
  /** How many memories and messages had no room. */
  omitted: number;
  cached: boolean;
}

export interface ContextRequest {
  memberId: string;
  message: string;
  /** Null: the conversation does not exist yet. */
  conversation: Conversation | null;
  assistant: Assistant;
  now: Date;
  /** The id of the question, at the end of the path. Null: none yet, so the shown path is used. */
  leaf: string | null;
  /** The id of the first message of the conversation that the prompt shows verbatim; null: none. */
  shownFrom: string | null;
}

/** How many earlier messages a prompt shows verbatim. Older ones are in the summary. */
export const historyLimit = 20;

/** The first message that a prompt shows verbatim, which is a user's. Null: none. */
export function shownFromOf(lastMessages: readonly Message[]): string | null {
  return lastMessages.find(({ role, text }) => role === 'USER' && text.trim() !== '')?.id ?? null;
}
