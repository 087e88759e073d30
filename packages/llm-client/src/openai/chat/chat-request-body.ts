import type { OpenAI } from 'openai';
import { type JsonObject, objectInJson } from '@palabre/json';

import type { ChatMessage, ChatRequest, ToolCall } from '../../chat-model.js';
import { toolText } from '../../tools-text.js';
import { answerFormat } from '../answer-format.js';
import { type EchoContent, type Origin, readEcho } from '../echo.js';
import { imageUrls, plainCallId, userText, withoutCalls } from '../conversation.js';
import { type AskedModel, bodyWithTools, commonDialect, type Dialect, toldChoice } from '../dialects.js';
import { commonUses, type EchoField, type EchoUse, type EchoUses } from './echo-uses.js';

type ChatRequestBody = Omit<OpenAI.ChatCompletionCreateParamsStreaming, 'tools'>;

/** How one model at one provider differs from most. */
export interface ChatDialect extends Dialect {
  maxTokensName: 'max_tokens' | 'max_completion_tokens';
  streamOptions: boolean;
  /** Whether it accepts earlier calls without tools. If not, it gets them as text, in such requests only. */
  callsWithoutTools: boolean;
  /** Whether it accepts other providers' call ids, as after a fallback. If not, it gets plain ones. */
  callIdsOfOthers: boolean;
  /** Whether it may think beside tools. If not, it is asked not to, in such requests only. */
  thinksBesideTools: boolean;
  /** How it takes back what came with its steps. */
  echoes: EchoUses;
}

export const commonChatDialect: ChatDialect = {
  ...commonDialect,
  maxTokensName: 'max_tokens',
  streamOptions: true,
  callsWithoutTools: true,
  callIdsOfOthers: true,
  thinksBesideTools: true,
  echoes: commonUses,
};

export function chatRequestBody(request: ChatRequest, origin: AskedModel, dialect: ChatDialect): Buffer {
  const tools = dialect.tools ? request.tools : [];
  return bodyWithTools(
    withoutTools(request, origin, dialect),
    tools.map((tool) => `{"type":"function","function":${toolText(tool)}}`),
  );
}

function withoutTools(request: ChatRequest, origin: AskedModel, dialect: ChatDialect): ChatRequestBody {
  const takesCalls = dialect.tools && (dialect.callsWithoutTools || request.tools.length > 0);
  const messages = takesCalls ? request.messages : withoutCalls(request.messages);
  const choice = toldChoice(request, dialect);
  return {
    model: origin.name,
    messages: messages.map((message) => messageParam(message, origin, dialect)),
    ...(choice && {
      tool_choice:
        typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } },
    }),
    ...effortParam(request, dialect),
    ...answerParam(request, dialect),
    [dialect.maxTokensName]: request.maxOutputTokens,
    stream: true,
    ...(dialect.streamOptions ? { stream_options: { include_usage: true } } : {}),
  };
}

/** OpenAI's gpt-5.6 takes tools here only with `none`. The default is the model's usual effort. */
function effortParam(
  { tools, reasoningEffort }: ChatRequest,
  dialect: ChatDialect,
): Pick<ChatRequestBody, 'reasoning_effort'> {
  if (!dialect.thinksBesideTools && dialect.tools && tools.length > 0) return { reasoning_effort: 'none' };
  return dialect.effort && reasoningEffort !== undefined ? { reasoning_effort: reasoningEffort } : {};
}

function answerParam(
  { answerSchema }: ChatRequest,
  { structured }: ChatDialect,
): Pick<ChatRequestBody, 'response_format'> {
  if (answerSchema === undefined || !structured) return {};
  return { response_format: { type: 'json_schema', json_schema: answerFormat(answerSchema) } };
}

function messageParam(
  message: ChatMessage,
  origin: Origin,
  { echoes, callIdsOfOthers, images }: ChatDialect,
): OpenAI.ChatCompletionMessageParam {
  switch (message.role) {
    case 'user': {
      const text = userText(message);
      const urls = images ? imageUrls(message) : [];
      // A plain text if there is nothing else, because some providers take no list.
      if (urls.length === 0) return { role: 'user', content: text };
      const shown = urls.map((url) => ({ type: 'image_url', image_url: { url } }) as const);
      return { role: 'user', content: [...shown, { type: 'text', text }] };
    }
    case 'tool': {
      const id = callIdsOfOthers ? message.toolCallId : plainCallId(message.toolCallId);
      return { role: 'tool', tool_call_id: id, content: message.content };
    }
    case 'assistant': {
      // The echo of a call is found by its original id.
      const param = withEcho(assistantParam(message), readEcho(message.echo, origin), echoes);
      return callIdsOfOthers ? param : withPlainIds(param);
    }
    default:
      return { role: message.role, content: message.content };
  }
}

function assistantParam({
  content,
  toolCalls = [],
}: Extract<ChatMessage, { role: 'assistant' }>): AssistantParam {
  return toolCalls.length > 0
    ? { role: 'assistant', content: content || null, tool_calls: toolCalls.map(toolCallParam) }
    : { role: 'assistant', content };
}

function withPlainIds(param: AssistantParam): AssistantParam {
  return param.tool_calls
    ? { ...param, tool_calls: param.tool_calls.map((call) => ({ ...call, id: plainCallId(call.id) })) }
    : param;
}

function toolCallParam({ id, name, arguments: text }: ToolCall): OpenAI.ChatCompletionMessageToolCall {
  return { id, type: 'function', function: { name, arguments: objectInJson(text) } };
}

type AssistantParam = OpenAI.ChatCompletionAssistantMessageParam;

/** Replaces missing thoughts. Moonshot and DeepSeek V4 treat an empty text as a missing field. */
const NO_THOUGHTS = ' ';
/** Google's value for a call without a signature, such as another model's. */
const NO_SIGNATURE: JsonObject = { google: { thought_signature: 'skip_thought_signature_validator' } };

/** An assistant's message with its echo. Null: no echo for this model. */
function withEcho(param: AssistantParam, content: EchoContent | null, uses: EchoUses): AssistantParam {
  const thoughts =
    content?.reasoning_content ?? (uses.reasoning_content === 'ALWAYS' ? NO_THOUGHTS : undefined);
  return {
    ...param,
    ...(param.tool_calls && { tool_calls: signed(param.tool_calls, content, uses.extra_content) }),
    ...field('reasoning_content', thoughts, uses),
    ...field('reasoning_details', content?.reasoning_details, uses),
    ...field('extra_content', content?.extra_content, uses),
  };
}

function field(name: EchoField, value: unknown, uses: EchoUses): Record<string, unknown> {
  return value === undefined || uses[name] === 'NEVER' ? {} : { [name]: value };
}

/** Only the first of parallel calls has a signature. */
function signed(
  calls: NonNullable<AssistantParam['tool_calls']>,
  content: EchoContent | null,
  use: EchoUse,
): NonNullable<AssistantParam['tool_calls']> {
  if (use === 'NEVER') return calls;
  const extras = new Map(content?.calls);
  return calls.map((call, index) => {
    const extra = extras.get(call.id) ?? (use === 'ALWAYS' && index === 0 ? NO_SIGNATURE : null);
    return extra ? { ...call, extra_content: extra } : call;
  });
}
