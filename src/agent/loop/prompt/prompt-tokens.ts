import { type ChatMessage, IMAGE_TOKENS, toolText, type ToolSpec } from '@palabre/llm-client';

import type { TokenCounter } from '../agent-ports.js';

/** The cost of a message besides its text: role and borders. */
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
    // An upper bound: a model reads the content, not its encoding.
    if (message.echo) sum += tokens.count(message.echo.data);
    for (const { name, arguments: text } of message.toolCalls ?? [])
      sum += tokens.count(name) + tokens.count(text);
  }
  return sum;
}

/** Each tool by itself: the same ones are counted again in other lists, and counts are remembered by text. */
export function toolsTokens(tools: readonly ToolSpec[], tokens: TokenCounter): number {
  return tools.reduce((sum, tool) => sum + tokens.count(toolText(tool)), 0);
}
