import { type ChatMessage, IMAGE_TOKENS, type ToolSpec, toolsText } from '@palabre/llm-client';

import type { TokenCounter } from '../agent-ports.js';

/** What a message takes besides its words: its role and its borders. */
const MESSAGE_TOKENS = 4;

export function messagesTokens(messages: readonly ChatMessage[], tokens: TokenCounter): number {
  let sum = 0;
  for (const message of messages) {
    sum += MESSAGE_TOKENS + tokens.count(message.content);
    if (message.role === 'user') {
      for (const file of message.files ?? [])
        sum += file.type === 'image' ? IMAGE_TOKENS : tokens.count(file.text);
    }
    if (message.role !== 'assistant') continue;
    // At most: a model reads what is in it, and not how that is written down.
    if (message.echo) sum += tokens.count(message.echo.data);
    for (const { name, arguments: text } of message.toolCalls ?? [])
      sum += tokens.count(name) + tokens.count(text);
  }
  return sum;
}

export function toolsTokens(tools: readonly ToolSpec[], tokens: TokenCounter): number {
  return tools.length === 0 ? 0 : tokens.count(toolsText(tools));
}
