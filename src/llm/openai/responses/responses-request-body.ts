import type { OpenAI } from 'openai';

import type { ChatMessage, ChatRequest, ReasoningEffort, ToolCall, ToolSpec } from '../../chat-model.js';
import { toolText } from '../../tools-text.js';
import { answerFormat } from '../answer-format.js';
import { forcesTool, objectInJson, plainCallId, withoutCalls } from '../conversation.js';
import { type EchoedItem, type Origin, readEcho } from '../echo.js';
import type { AskedModel } from '../chat/chat-request-body.js';

type ResponsesRequestBody = Omit<OpenAI.Responses.ResponseCreateParamsStreaming, 'tools'>;
type InputItem = OpenAI.Responses.ResponseInputItem;

/** What one model at one provider wants otherwise than most. */
export interface ResponsesDialect {
  /** Whether it can be made to call a tool; else the choice is left to it. */
  forcedTools: boolean;
  /** Whether it calls tools at all; else it is not told of them. */
  tools: boolean;
  /** Whether it can be asked for its thoughts, encrypted, to have them back with its calls. */
  encryptedThoughts: boolean;
  /** Whether it tells what it thinks in brief. */
  summaries: boolean;
  /** Whether it can be told how much to think; else that is left to it. */
  effort: boolean;
  /** Whether its answers can be made to fit a schema; else they are free. */
  structured: boolean;
  /** Whether its provider takes a name for the cache of a conversation. */
  cacheKey: boolean;
}

export const commonResponsesDialect: ResponsesDialect = {
  forcedTools: true,
  tools: true,
  encryptedThoughts: true,
  summaries: true,
  effort: true,
  structured: true,
  cacheKey: true,
};

/** The model that is asked, and whether it reasons; null: unknown. */
export interface AskedThinker extends AskedModel {
  reasons: boolean | null;
}

/** OpenAI refuses fewer. */
const MIN_OUTPUT_TOKENS = 16;

/** The request as the protocol has it, in JSON. Nothing of it is kept by the provider. */
export function responsesRequestBody(
  request: ChatRequest,
  asked: AskedThinker,
  dialect: ResponsesDialect,
): Buffer {
  const tools = dialect.tools ? request.tools : [];
  const text = JSON.stringify(withoutTools(request, asked, dialect));
  return Buffer.from(tools.length === 0 ? text : `${text.slice(0, -1)},"tools":${toolParams(tools)}}`);
}

function withoutTools(
  request: ChatRequest,
  asked: AskedThinker,
  dialect: ResponsesDialect,
): ResponsesRequestBody {
  const messages = dialect.tools ? request.messages : withoutCalls(request.messages);
  return {
    model: asked.name,
    input: messages.flatMap((message) => itemsOf(message, asked)),
    ...toolChoiceParam(request, dialect),
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
function toolParams(tools: readonly ToolSpec[]): string {
  return `[${tools.map((tool) => `{"type":"function","strict":false,${toolText(tool).slice(1)}`).join(',')}]`;
}

function toolChoiceParam(
  request: ChatRequest,
  dialect: ResponsesDialect,
): Pick<ResponsesRequestBody, 'tool_choice'> {
  const { tools, toolChoice } = request;
  if (!dialect.tools || tools.length === 0 || toolChoice === undefined || toolChoice === 'auto') return {};
  if (!dialect.forcedTools && forcesTool(request)) return {};
  return {
    tool_choice: typeof toolChoice === 'string' ? toolChoice : { type: 'function', name: toolChoice.name },
  };
}

/** Models that do not reason refuse this parameter. */
function reasoningParam(
  { reasoningEffort }: ChatRequest,
  { reasons }: AskedThinker,
  dialect: ResponsesDialect,
): Pick<ResponsesRequestBody, 'reasoning'> {
  if (reasons === false) return {};
  const effort = dialect.effort ? reasoningEffort : undefined;
  const summarizes = dialect.summaries && reasons === true && effort !== 'none';
  if (effort === undefined && !summarizes) return {};
  return {
    reasoning: { ...(effort && { effort: effortName(effort) }), ...(summarizes && { summary: 'auto' }) },
  };
}

function effortName(effort: ReasoningEffort): OpenAI.ReasoningEffort {
  return effort;
}

function itemsOf(message: ChatMessage, origin: Origin): InputItem[] {
  switch (message.role) {
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
 * What a model said and called, in its order, with its reasoning in between. The API refuses reasoning without the item
 * that followed it.
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
