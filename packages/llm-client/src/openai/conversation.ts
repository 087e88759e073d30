import { createHash } from 'node:crypto';

import type { ChatMessage, ChatRequest } from '../chat-model.js';

/** True if the model must call a tool, a given one or any. */
export function forcesTool({ toolChoice }: ChatRequest): boolean {
  return toolChoice === 'required' || typeof toolChoice === 'object';
}

export function hasImages({ messages }: ChatRequest): boolean {
  return messages.some((message) => message.role === 'user' && imageUrls(message).length > 0);
}

/**
 * The conversation with calls as text, for a model without tools, whose template or provider drops results. The roles
 * still alternate.
 */
export function withoutCalls(messages: readonly ChatMessage[]): ChatMessage[] {
  const told: ChatMessage[] = [];
  for (const message of messages) {
    const { role, content } = message;
    const speaker = role === 'tool' ? 'user' : role;
    if (content === '') continue;
    const last = told.at(-1);
    if (last?.role === speaker) last.content += `\n\n${content}`;
    else told.push({ role: speaker, content });
    const said = told.at(-1);
    if (role === 'user' && message.files && said?.role === 'user')
      said.files = [...(said.files ?? []), ...message.files];
  }
  return told;
}

type UserMessage = Extract<ChatMessage, { role: 'user' }>;

/** A user's text, after the texts of the message's files. */
export function userText({ content, files = [] }: UserMessage): string {
  return [...files.flatMap((file) => (file.type === 'text' ? [file.text] : [])), content].join('\n\n');
}

export function imageUrls({ files = [] }: UserMessage): string[] {
  return files.flatMap((file) =>
    file.type === 'image' ? [`data:${file.mediaType};base64,${file.data}`] : [],
  );
}

/** Mistral's form of call ids: the strictest, accepted by every provider. */
const PLAIN_LENGTH = 9;
function isPlain(id: string): boolean {
  return /^[a-zA-Z0-9]{9}$/.test(id);
}

/** A call's id in plain form, for a provider that refuses others' ids. The same in the call and its result. */
export function plainCallId(id: string): string {
  if (isPlain(id)) return id;
  const hash = createHash('sha256').update(id).digest('base64');
  return hash.replaceAll(/[^a-zA-Z0-9]/g, '').slice(0, PLAIN_LENGTH);
}
