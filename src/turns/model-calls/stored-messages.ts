import { createHash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type { ChatMessage, ToolSpec } from '../../llm/chat-model.js';
import { toolsText } from '../../llm/tools-text.js';
import { wellFormed, wellFormedValue } from '../log/writing/well-formed.js';
import type { MadeModelCall } from './model-call.js';

/** Shorter ones are not worth a row of their own. */
const SHORTEST_SHARED = 500;

/** In characters. */
const MOST_REMEMBERED = 4_000_000;

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Turn after turn has the same tools. Of other texts none is remembered here: they may tell of people. */
const digestsOfTools = new LRUCache<string, string>({
  maxSize: MOST_REMEMBERED,
  sizeCalculation: (_digest, text) => text.length,
  memoMethod: digestOf,
});

/** A message as it is stored: a long system message as a reference to a text that many prompts share. */
export type StoredMessage = ChatMessage | { role: 'system'; digest: string };

/** What a model was sent, as it is stored, and the texts that it refers to by digest. */
export interface StoredPrompt {
  messages: StoredMessage[];
  /** The digest of their text; empty when there were none. */
  tools: string;
  texts: Map<string, string>;
}

/** What a model got back of its own is between it and us, and is kept no longer than its turn needs it. */
const withoutEcho = (message: ChatMessage): ChatMessage => {
  if (message.role !== 'assistant' || !message.echo) return message;
  const { echo: _echo, ...said } = message;
  return said;
};

/** A prompt with a summary shares nothing but its tools: what was said goes when its conversation does. */
export const toStored = ({
  messages,
  tools,
  hasSummary,
}: Pick<MadeModelCall, 'messages' | 'tools' | 'hasSummary'>): StoredPrompt => {
  const texts = new Map<string, string>();
  const keep = (content: string, digest: string): string => {
    texts.set(digest, content);
    return digest;
  };
  const stored = messages.map(withoutEcho).map((message): StoredMessage => {
    const isShared = message.role === 'system' && !hasSummary && message.content.length >= SHORTEST_SHARED;
    if (!isShared) return wellFormedValue(message);
    const content = wellFormed(message.content);
    return { role: 'system', digest: keep(content, digestOf(content)) };
  });
  if (tools.length === 0) return { messages: stored, tools: '', texts };
  const text = toolsText(tools);
  return { messages: stored, tools: keep(text, digestsOfTools.memo(text)), texts };
};

/** The messages again. What a text was that is no longer kept, nobody knows. */
export const fromStored = (
  messages: readonly StoredMessage[],
  texts: ReadonlyMap<string, string>,
): ChatMessage[] =>
  messages.map((message) =>
    'digest' in message
      ? { role: 'system', content: texts.get(message.digest) ?? '[no longer kept]' }
      : message,
  );

/** The tools again; none where their text is no longer kept. */
export const toolsFromStored = (digest: string, texts: ReadonlyMap<string, string>): ToolSpec[] =>
  JSON.parse(texts.get(digest) ?? '[]') as ToolSpec[];

export const digestsIn = ({ messages, tools }: Pick<StoredPrompt, 'messages' | 'tools'>): string[] => [
  ...messages.flatMap((message) => ('digest' in message ? [message.digest] : [])),
  ...(tools === '' ? [] : [tools]),
];
