import type { OpenAI } from 'openai';
import type { ChatMessage, ChatRequest, ToolCall } from '../chat-model.js';

export type ChatRequestBody = OpenAI.ChatCompletionCreateParamsStreaming;

/** What one model at one provider wants otherwise than most. */
export interface Dialect {
  maxTokensName: 'max_tokens' | 'max_completion_tokens';
  streamOptions: boolean;
}

export const commonDialect: Dialect = { maxTokensName: 'max_tokens', streamOptions: true };

/** The request as the protocol has it. */
export function chatRequestBody(request: ChatRequest, model: string, dialect: Dialect): ChatRequestBody {
  return {
    model,
    messages: request.messages.map(messageParam),
    ...toolParams(request),
    [dialect.maxTokensName]: request.maxOutputTokens,
    stream: true,
    ...(dialect.streamOptions ? { stream_options: { include_usage: true } } : {}),
  };
}

function toolParams({ tools, toolChoice }: ChatRequest): Pick<ChatRequestBody, 'tools' | 'tool_choice'> {
  if (tools.length === 0) return {};
  const params = tools.map(({ name, description, parameters }) => ({
    type: 'function' as const,
    function: { name, description, parameters },
  }));
  if (toolChoice === undefined || toolChoice === 'auto') return { tools: params };
  if (typeof toolChoice === 'string') return { tools: params, tool_choice: toolChoice };
  return { tools: params, tool_choice: { type: 'function', function: { name: toolChoice.name } } };
}

function messageParam(message: ChatMessage): OpenAI.ChatCompletionMessageParam {
  switch (message.role) {
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant':
      return message.toolCalls?.length
        ? {
            role: 'assistant',
            content: message.content || null,
            tool_calls: message.toolCalls.map(toolCallParam),
          }
        : { role: 'assistant', content: message.content };
    default:
      return { role: message.role, content: message.content };
  }
}

const toolCallParam = ({ id, name, arguments: text }: ToolCall): OpenAI.ChatCompletionMessageToolCall => ({
  id,
  type: 'function',
  // Providers refuse a whole conversation for arguments that are no JSON object; the tool's result tells of them.
  function: { name, arguments: isJsonObject(text) ? text : '{}' },
});

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
