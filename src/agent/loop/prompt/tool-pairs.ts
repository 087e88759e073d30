import type { ChatMessage, ToolCall } from '../../../llm/chat-model.js';

type ToolResult = Extract<ChatMessage, { role: 'tool' }>;

/**
 * The messages with every tool call followed by its result, in the order of the calls: a call without one gets
 * what `missingResult` gives, a result without a call is dropped. Providers refuse a conversation in which one stands alone.
 */
export function pairToolCalls(
  messages: readonly ChatMessage[],
  missingResult: (call: ToolCall) => string,
): ChatMessage[] {
  return messages.flatMap((message, index): ChatMessage[] => {
    if (message.role === 'tool') return []; // taken along with its call, or an orphan
    if (message.role !== 'assistant' || !message.toolCalls) return [message];
    const results = resultsAfter(messages, index);
    return [
      message,
      ...message.toolCalls.map(
        (call) => takeResult(results, call.id) ?? missing(call.id, missingResult(call)),
      ),
    ];
  });
}

function resultsAfter(messages: readonly ChatMessage[], index: number): ToolResult[] {
  const results: ToolResult[] = [];
  for (const message of messages.slice(index + 1)) {
    if (message.role !== 'tool') break;
    results.push(message);
  }
  return results;
}

function takeResult(results: ToolResult[], id: string): ToolResult | undefined {
  const found = results.findIndex((result) => result.toolCallId === id);
  return found < 0 ? undefined : results.splice(found, 1)[0];
}

const missing = (toolCallId: string, content: string): ToolResult => ({ role: 'tool', toolCallId, content });
