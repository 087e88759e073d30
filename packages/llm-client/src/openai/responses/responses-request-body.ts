import type { OpenAI } from 'openai';
import { objectInJson } from '@palabre/json';

import type { ChatMessage, ChatRequest, ToolCall, ToolSpec } from '../../chat-model.js';
import { toolText } from '../../tools-text.js';
import { answerFormat } from '../answer-format.js';
import { imageUrls, plainCallId, userText, withoutCalls } from '../conversation.js';
import { type AskedModel, bodyWithTools, commonDialect, type Dialect, toldChoice } from '../dialects.js';
import { type EchoedItem, type Origin, readEcho } from '../echo.js';

type ResponsesRequestBody = Omit<OpenAI.Responses.ResponseCreateParamsStreaming, 'tools'>;
type InputItem = OpenAI.Responses.ResponseInputItem;

/** How one model at one provider differs from most. */
export interface ResponsesDialect extends Dialect {
  /** Whether it can return its thoughts encrypted, to get them back with its calls. */
  encryptedThoughts: boolean;
  /** Whether it summarises its thoughts. */
  summaries: boolean;
  /** Whether the provider takes a cache key for a conversation. */
  cacheKey: boolean;
}

export const commonResponsesDialect: ResponsesDialect = {
  ...commonDialect,
  encryptedThoughts: true,
  summaries: true,
  cacheKey: true,
};

/** OpenAI refuses fewer. */
const MIN_OUTPUT_TOKENS = 16;

/** The request in the protocol's JSON. The provider stores nothing of it. */
export function responsesRequestBody(
  request: ChatRequest,
  asked: AskedModel,
  dialect: ResponsesDialect,
): Buffer {
  const tools = dialect.tools ? request.tools : [];
  return bodyWithTools(withoutTools(request, asked, dialect), tools.map(toolParam));
}

function withoutTools(
  request: ChatRequest,
  asked: AskedModel,
  dialect: ResponsesDialect,
): ResponsesRequestBody {
  const messages = dialect.tools ? request.messages : withoutCalls(request.messages);
  const choice = toldChoice(request, dialect);
  return {
    model: asked.name,
    input: messages.flatMap((message) => itemsOf(message, asked, dialect)),
    ...(choice && {
      tool_choice: typeof choice === 'string' ? choice : { type: 'function', name: choice.name },
    }),
    ...reasoningParam(request, asked, dialect),
    ...(dialect.structured &&
      request.answerSchema && {
        text: { format: { type: 'json_schema', ...answerFormat(request.answerSchema) } },
      }),
    ...(dialect.encryptedThoughts && asked.reasons !== false && { include: ['reasoning.encrypted_content'] }),
    ...(dialect.cacheKey && request.cacheKey !== undefined && { prompt_cache_key: request.cacheKey }),
    max_output_tokens: Math.max(request.maxOutputTokens, MIN_OUTPUT_TOKENS),
    store: false,
    stream: true,
  };
}

/** `strict: false`, because the API would otherwise make schemas strict and refuse some. */
function toolParam(tool: ToolSpec): string {
  return `{"type":"function","strict":false,${toolText(tool).slice(1)}`;
}

/** Models that do not reason refuse this parameter. */
function reasoningParam(
  { reasoningEffort }: ChatRequest,
  { reasons }: AskedModel,
  dialect: ResponsesDialect,
): Pick<ResponsesRequestBody, 'reasoning'> {
  if (reasons === false) return {};
  const effort = dialect.effort ? reasoningEffort : undefined;
  const summarizes = dialect.summaries && reasons === true && effort !== 'none';
  if (effort === undefined && !summarizes) return {};
  return {
    reasoning: { ...(effort && { effort }), ...(summarizes && { summary: 'auto' }) },
  };
}

function itemsOf(message: ChatMessage, origin: Origin, { images }: ResponsesDialect): InputItem[] {
  switch (message.role) {
    case 'user': {
      const text = userText(message);
      const urls = images ? imageUrls(message) : [];
      if (urls.length === 0) return [{ role: 'user', content: text }];
      const shown = urls.map((url) => ({ type: 'input_image', image_url: url, detail: 'auto' }) as const);
      return [{ role: 'user', content: [...shown, { type: 'input_text', text }] }];
    }
    case 'tool': {
      const { toolCallId, content: output } = message;
      return [{ type: 'function_call_output', call_id: takenCallId(toolCallId), output }];
    }
    case 'assistant':
      return assistantItems(message, readEcho(message.echo, origin)?.items ?? []);
    default:
      return [{ role: message.role, content: message.content }];
  }
}

/**
 * A model's texts and calls in order, with its reasoning between. The API refuses reasoning without the item after it.
 */
function assistantItems(
  { content, toolCalls = [] }: Extract<ChatMessage, { role: 'assistant' }>,
  echoed: readonly EchoedItem[],
): InputItem[] {
  const items: InputItem[] = [];
  const calls = new Map(toolCalls.map((call) => [call.id, call]));
  let isSaid = content === '';
  for (const item of echoed) {
    if (item.type === 'thoughts') items.push(item.item as unknown as InputItem);
    else if (item.type === 'text') {
      if (!isSaid) items.push({ role: 'assistant', content, ...(item.phase && { phase: item.phase }) });
      isSaid = true;
    } else {
      const call = calls.get(item.id);
      if (call) items.push(callItem(call));
      calls.delete(item.id);
    }
  }
  if (!isSaid) items.unshift({ role: 'assistant', content });
  return [...items, ...[...calls.values()].map(callItem)];
}

function callItem({ id, name, arguments: text }: ToolCall): InputItem {
  return { type: 'function_call', call_id: takenCallId(id), name, arguments: objectInJson(text) };
}

/** Other providers make ids that are too long or contain other characters. */
function takenCallId(id: string): string {
  return /^[\w-]{1,64}$/.test(id) ? id : plainCallId(id);
}
