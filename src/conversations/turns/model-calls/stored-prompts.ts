import { hash } from 'node:crypto';

import { LRUCache } from 'lru-cache';
import { type ChatMessage, type ToolSpec, toolsText } from '@palabre/llm-client';

import { wellFormed, wellFormedValue } from '../../../common/well-formed.js';
import type { ModelCallPurpose } from '../turn-event.js';
import { type MadeModelCall, isAside } from './model-call.js';

/** Shorter texts are not worth a row of their own. */
const SHORTEST_SHARED = 500;

/** In characters. */
const MAX_REMEMBERED = 4_000_000;

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** Caches digests of tool lists, which turns repeat. Other texts are not cached, as they may be personal. */
const digestsOfTools = new LRUCache<string, string>({
  maxSize: MAX_REMEMBERED,
  sizeCalculation: (_digest, text) => text.length,
  memoMethod: digestOf,
});

/** A message as it is stored: a long system message as a reference to a text that many prompts share. */
export type StoredMessage = ChatMessage | { role: 'system'; digest: string };

/** A prompt in stored form, with the texts that it refers to by digest. */
export interface StoredPrompt {
  messages: StoredMessage[];
  /** The digest of their text; empty when there were none. */
  tools: string;
  texts: Map<string, string>;
}

/** Echoes are stored only while the turn needs them. Attachments are private, and deleted with the conversation. */
function keptOf(message: ChatMessage): ChatMessage {
  if (message.role === 'user' && message.files) return { role: 'user', content: message.content };
  if (message.role !== 'assistant' || !message.echo) return message;
  const { echo: _echo, ...said } = message;
  return said;
}

/** A prompt with a summary shares only its tools, as the summary must be deleted with its conversation. */
export function toStoredPrompt({
  messages,
  tools,
  hasSummary,
}: Pick<MadeModelCall, 'messages' | 'tools' | 'hasSummary'>): StoredPrompt {
  const texts = new Map<string, string>();
  const keep = (content: string, digest: string): string => {
    texts.set(digest, content);
    return digest;
  };
  const stored = messages.map(keptOf).map((message): StoredMessage => {
    const isShared = message.role === 'system' && !hasSummary && message.content.length >= SHORTEST_SHARED;
    if (!isShared) return wellFormedValue(message);
    const content = wellFormed(message.content);
    return { role: 'system', digest: keep(content, digestOf(content)) };
  });
  if (tools.length === 0) return { messages: stored, tools: '', texts };
  const text = toolsText(tools);
  return { messages: stored, tools: keep(text, digestsOfTools.memo(text)), texts };
}

/** The original messages. Shared texts that were removed are replaced by a note. */
export function restoreMessages(
  messages: readonly StoredMessage[],
  texts: ReadonlyMap<string, string>,
): ChatMessage[] {
  return messages.map((message) =>
    'digest' in message
      ? { role: 'system', content: texts.get(message.digest) ?? '[no longer kept]' }
      : message,
  );
}

/** The original tools; none when their text was removed. */
export function restoreTools(digest: string, texts: ReadonlyMap<string, string>): ToolSpec[] {
  return JSON.parse(texts.get(digest) ?? '[]') as ToolSpec[];
}

export function digestsIn({ messages, tools }: Pick<StoredPrompt, 'messages' | 'tools'>): string[] {
  return [
    ...messages.flatMap((message) => ('digest' in message ? [message.digest] : [])),
    ...(tools === '' ? [] : [tools]),
  ];
}

/** The new messages of a prompt. Its first `kept` messages are those of the previous prompt. */
interface PromptDelta {
  kept: number;
  messages: readonly ChatMessage[];
}

interface StoredDelta extends PromptDelta {
  purpose: ModelCallPurpose;
}

/** Computes what each prompt of a turn adds to the previous one. */
export class PromptDeltas {
  private before: readonly ChatMessage[] = [];

  next(messages: readonly ChatMessage[]): PromptDelta {
    const differs = messages.findIndex((message, index) => !isSame(message, this.before[index]));
    const kept = differs < 0 ? messages.length : differs;
    this.before = messages;
    return { kept, messages: messages.slice(kept) };
  }
}

/** The complete prompts from their deltas, in order. Calls beside the turn may be between its own. */
export function rebuildPrompts(deltas: readonly StoredDelta[]): ChatMessage[][] {
  let before: ChatMessage[] = [];
  return deltas.map(({ purpose, kept, messages }) => {
    if (isAside(purpose)) return [...messages];
    before = [...before.slice(0, kept), ...messages];
    return before;
  });
}

function isSame(a: ChatMessage, b: ChatMessage | undefined): boolean {
  return (
    a === b ||
    (b !== undefined &&
      a.role === b.role &&
      a.content === b.content &&
      callsOf(a) === callsOf(b) &&
      toolCallIdOf(a) === toolCallIdOf(b))
  );
}

function callsOf(message: ChatMessage): string {
  return message.role === 'assistant' && message.toolCalls ? JSON.stringify(message.toolCalls) : '';
}

function toolCallIdOf(message: ChatMessage): string {
  return message.role === 'tool' ? message.toolCallId : '';
}
