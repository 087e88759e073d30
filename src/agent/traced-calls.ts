import type { ChatMessage, ChatPart, ChatRequest, ToolCall } from '@palabre/llm-client';
import { isJsonObject, parseJson } from '@palabre/json';

import { OPENAI, operation } from '../platform/tracing/semantic-names.js';
import { type Attributes, inSpan, iterateInSpan, type Span } from '../platform/tracing/span.js';
import { InputNeeded } from '../skills/skill.js';
import type { NamedRequest, SkillOutcome, SkillRequest } from './loop/agent-ports.js';

/** Runs a model call in its own span, and a planning one also in the span of a plan. */
export function tracedModelCall(
  { purpose, ...request }: NamedRequest,
  stream: (request: ChatRequest & { model: string }) => AsyncIterable<ChatPart>,
): AsyncIterable<ChatPart> {
  const call = (): AsyncIterable<ChatPart> => tracedStream(request, stream);
  if (purpose !== 'PLAN') return call();
  const attributes: Attributes = { operation: operation.plan };
  return iterateInSpan(operation.plan, () => ({ attributes }), call);
}

function tracedStream(
  request: ChatRequest & { model: string },
  stream: (request: ChatRequest & { model: string }) => AsyncIterable<ChatPart>,
): AsyncIterable<ChatPart> {
  const { model, maxOutputTokens, answerSchema, textSink, companyId } = request;
  const attributes: Attributes = {
    operation: operation.chat,
    provider: OPENAI,
    requestModel: model,
    maxTokens: maxOutputTokens,
    stream: true,
    outputType: answerSchema ? 'json' : 'text',
    company: companyId,
  };
  const said = { text: '', calls: [] as ToolCall[] };
  const askedAt = performance.now();
  let hasBegun = false;
  // Observes text that bypasses the reader.
  const sink = textSink && {
    get isReady() {
      return textSink.isReady;
    },
    take: (text: string) => {
      said.text += text;
      textSink.take(text);
    },
  };
  return iterateInSpan(
    `${operation.chat} ${model}`,
    () => ({ kind: 'client', attributes }),
    () => stream(sink ? { ...request, textSink: sink } : request),
    (part, span) => {
      if (!hasBegun) span.set({ timeToFirstChunk: (performance.now() - askedAt) / 1000 });
      hasBegun = true;
      if (part.type === 'text') said.text += part.text;
      else if (part.type === 'tool-call') said.calls.push(part.call);
      else if (part.type === 'finish') describeFinish(span, part, request.messages, said);
    },
  );
}

function describeFinish(
  span: Span,
  { reason, usage, model }: Extract<ChatPart, { type: 'finish' }>,
  messages: readonly ChatMessage[],
  said: { text: string; calls: ToolCall[] },
): void {
  span.set({
    finishReasons: [reason],
    responseModel: model ?? undefined,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cachedInputTokens: usage.cachedInputTokens,
    reasoningTokens: usage.reasoningTokens,
  });
  span.setContent('inputMessages', () => messages.map(shownMessage));
  const answer = { role: 'assistant' as const, content: said.text, toolCalls: said.calls };
  span.setContent('outputMessages', () => [{ ...shownMessage(answer), finish_reason: reason }]);
}

/** The message in the conventions' schema, without attachments. */
function shownMessage(message: ChatMessage): { role: string; parts: object[] } {
  if (message.role === 'tool') {
    const { toolCallId: id, content } = message;
    return {
      role: 'tool',
      parts: [{ type: 'tool_call_response', id, response: parseJson(content) ?? content }],
    };
  }
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  const text = message.content === '' ? [] : [{ type: 'text', content: message.content }];
  const asked = calls.map(({ id, name, arguments: words }) => ({
    type: 'tool_call',
    id,
    name,
    arguments: argumentsIn(words),
  }));
  return { role: message.role, parts: [...text, ...asked] };
}

function argumentsIn(words: string): unknown {
  const read = parseJson(words);
  return isJsonObject(read) ? read : words;
}

/** Runs a skill call in its own span. A call that needs a person's input has not failed. */
export async function tracedSkillCall<Outcome extends Pick<SkillOutcome, 'status' | 'result'>>(
  { callId, key, arguments: words }: SkillRequest,
  call: () => Promise<Outcome>,
): Promise<Outcome> {
  const attributes: Attributes = {
    operation: operation.tool,
    tool: key,
    toolCall: callId,
    toolType: 'function',
  };
  let needed: InputNeeded | null = null;
  const outcome = await inSpan(
    `${operation.tool} ${key}`,
    () => ({ attributes }),
    async (span) => {
      span?.setContent('toolArguments', () => argumentsIn(words));
      try {
        const outcome = await call();
        span?.setContent('toolResult', () => parseJson(outcome.result));
        if (outcome.status === 'FAILED') span?.end('SKILL_FAILED');
        return outcome;
      } catch (error) {
        if (!(error instanceof InputNeeded)) throw error;
        needed = error;
        return null;
      }
    },
  );
  if (outcome === null) throw needed;
  return outcome;
}
