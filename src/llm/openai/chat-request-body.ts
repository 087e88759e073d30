import type { OpenAI } from 'openai';
import { isJsonObject } from '../../common/json.js';
import type { ChatMessage, ChatRequest, ToolCall, ToolSpec } from '../chat-model.js';
import { toolText } from '../tools-text.js';
import { plainCallId } from './call-ids.js';
import { type Origin, readEcho } from './echo/echo-content.js';
import { withEcho } from './echo/echo-params.js';
import { commonUses, type EchoUses } from './echo/echo-uses.js';

type ChatRequestBody = Omit<OpenAI.ChatCompletionCreateParamsStreaming, 'tools'>;

/** What one model at one provider wants otherwise than most. */
export interface Dialect {
  maxTokensName: 'max_tokens' | 'max_completion_tokens';
  streamOptions: boolean;
  /** Whether it can be made to call a tool; else the choice is left to it. */
  forcedTools: boolean;
  /** Whether it calls tools at all; else it is not told of them. */
  tools: boolean;
  /** Whether it takes a conversation with calls where it is offered no tools; else they are told to it, there alone. */
  callsWithoutTools: boolean;
  /** Whether it takes the ids that another provider gave to calls, as those before a fallback; else plain ones. */
  callIdsOfOthers: boolean;
  /** Whether it may think where it has tools; else it is asked not to, there alone. */
  thinksBesideTools: boolean;
  /** How it takes back what came with its steps. */
  echoes: EchoUses;
}

export const commonDialect: Dialect = {
  maxTokensName: 'max_tokens',
  streamOptions: true,
  forcedTools: true,
  tools: true,
  callsWithoutTools: true,
  callIdsOfOthers: true,
  thinksBesideTools: true,
  echoes: commonUses,
};

/**
 * The request as the protocol has it, in JSON. The tools are most of it and the same from call to call, so that their
 * text is made once.
 */
export function chatRequestBody(request: ChatRequest, origin: Origin, dialect: Dialect): Buffer {
  const tools = dialect.tools ? request.tools : [];
  const text = JSON.stringify(withoutTools(request, origin, dialect));
  return Buffer.from(tools.length === 0 ? text : `${text.slice(0, -1)},"tools":${toolParams(tools)}}`);
}

function withoutTools(request: ChatRequest, origin: Origin, dialect: Dialect): ChatRequestBody {
  const messages = takesCalls(request, dialect) ? request.messages : withoutCalls(request.messages);
  return {
    model: origin.model,
    messages: messages.map((message) => messageParam(message, origin, dialect)),
    ...toolChoiceParam(request, dialect),
    ...effortParam(request, dialect),
    [dialect.maxTokensName]: request.maxOutputTokens,
    stream: true,
    ...(dialect.streamOptions ? { stream_options: { include_usage: true } } : {}),
  };
}

const takesCalls = ({ tools }: ChatRequest, dialect: Dialect): boolean =>
  dialect.tools && (dialect.callsWithoutTools || tools.length > 0);

const toolParams = (tools: readonly ToolSpec[]): string =>
  `[${tools.map((tool) => `{"type":"function","function":${toolText(tool)}}`).join(',')}]`;

/** True where the model has to call a tool, this one or any. */
export const forcesTool = ({ toolChoice }: ChatRequest): boolean =>
  toolChoice === 'required' || typeof toolChoice === 'object';

function toolChoiceParam(request: ChatRequest, dialect: Dialect): Pick<ChatRequestBody, 'tool_choice'> {
  const { tools, toolChoice } = request;
  if (!dialect.tools || tools.length === 0 || toolChoice === undefined || toolChoice === 'auto') return {};
  if (!dialect.forcedTools && forcesTool(request)) return {};
  if (typeof toolChoice === 'string') return { tool_choice: toolChoice };
  return { tool_choice: { type: 'function', function: { name: toolChoice.name } } };
}

/** OpenAI's gpt-5.6 takes tools here only together with `none`: left out, it stands for the model's usual effort. */
const effortParam = ({ tools }: ChatRequest, dialect: Dialect): Pick<ChatRequestBody, 'reasoning_effort'> =>
  dialect.thinksBesideTools || !dialect.tools || tools.length === 0 ? {} : { reasoning_effort: 'none' };

/**
 * The conversation for a model that knows of no tools, whose template would leave results out: they are told to it, as
 * to one whose provider refuses them. The two sides still speak in turns.
 */
function withoutCalls(messages: readonly ChatMessage[]): ChatMessage[] {
  const told: ChatMessage[] = [];
  for (const { role, content } of messages) {
    const speaker = role === 'tool' ? 'user' : role;
    if (content === '') continue;
    const last = told.at(-1);
    if (last?.role === speaker) last.content += `\n\n${content}`;
    else told.push({ role: speaker, content });
  }
  return told;
}

function messageParam(
  message: ChatMessage,
  origin: Origin,
  { echoes, callIdsOfOthers }: Dialect,
): OpenAI.ChatCompletionMessageParam {
  switch (message.role) {
    case 'tool': {
      const id = callIdsOfOthers ? message.toolCallId : plainCallId(message.toolCallId);
      return { role: 'tool', tool_call_id: id, content: message.content };
    }
    case 'assistant': {
      // What a model wants back with its calls is found by the ids that they had.
      const param = withEcho(assistantParam(message), readEcho(message.echo, origin), echoes);
      return callIdsOfOthers ? param : withPlainIds(param);
    }
    default:
      return { role: message.role, content: message.content };
  }
}

const assistantParam = ({
  content,
  toolCalls = [],
}: Extract<ChatMessage, { role: 'assistant' }>): OpenAI.ChatCompletionAssistantMessageParam =>
  toolCalls.length > 0
    ? { role: 'assistant', content: content || null, tool_calls: toolCalls.map(toolCallParam) }
    : { role: 'assistant', content };

const withPlainIds = (
  param: OpenAI.ChatCompletionAssistantMessageParam,
): OpenAI.ChatCompletionAssistantMessageParam =>
  param.tool_calls
    ? { ...param, tool_calls: param.tool_calls.map((call) => ({ ...call, id: plainCallId(call.id) })) }
    : param;

const toolCallParam = ({ id, name, arguments: text }: ToolCall): OpenAI.ChatCompletionMessageToolCall => ({
  id,
  type: 'function',
  // Providers refuse a whole conversation for arguments that are no JSON object; the tool's result tells of them.
  function: { name, arguments: isObjectInJson(text) ? text : '{}' },
});

function isObjectInJson(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}
