import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../../common/json.js';

const content = z
  .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() })), z.null()])
  .optional()
  .transform((value) =>
    Array.isArray(value) ? value.map((part) => part.text ?? '').join('') : (value ?? ''),
  );

const toolCall = z.object({
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const message = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer', 'user']), content }),
  z.object({ role: z.literal('assistant'), content, tool_calls: z.array(toolCall).nullish() }),
  z.object({ role: z.literal('tool'), content, tool_call_id: z.string() }),
]);

const jsonObject = z.record(z.string(), z.json()).transform((value): JsonObject => value as JsonObject);

const tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().min(1),
    description: z.string().default(''),
    parameters: jsonObject.default({}),
  }),
});

const toolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z
    .object({ type: z.literal('function'), function: z.object({ name: z.string() }) })
    .transform((choice) => choice.function),
]);

const tokenLimit = z.number().int().positive().nullish();

/** The part of OpenAI's chat completion request that the offline model reads; it ignores the rest. */
export const completionRequest = z.object({
  model: z.string(),
  messages: z.array(message).min(1),
  tools: z.array(tool).default([]),
  tool_choice: toolChoice.default('auto'),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
  max_tokens: tokenLimit,
  max_completion_tokens: tokenLimit,
});

export type CompletionRequest = z.infer<typeof completionRequest>;
export type RequestMessage = CompletionRequest['messages'][number];
export type RequestTool = CompletionRequest['tools'][number]['function'];

export interface AskedCall {
  id: string;
  name: string;
  /** JSON. */
  arguments: string;
}

/** What the offline model says: a text, or calls. */
export type Reply = { text: string } | { toolCalls: AskedCall[] };

export type FinishReason = 'stop' | 'tool_calls' | 'length';

export interface CompletionUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

/** What all answers to one request carry. */
export interface Envelope {
  id: string;
  /** Seconds since 1970. */
  created: number;
  model: string;
}

const asToolCall = (call: AskedCall) => ({
  id: call.id,
  type: 'function',
  function: { name: call.name, arguments: call.arguments },
});

/** The whole answer, for a request without `stream`. */
export const completionBody = (
  envelope: Envelope,
  reply: Reply,
  finish: FinishReason,
  usage: CompletionUsage,
) => ({
  ...envelope,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message:
        'text' in reply
          ? { role: 'assistant', content: reply.text, refusal: null }
          : { role: 'assistant', content: null, refusal: null, tool_calls: reply.toolCalls.map(asToolCall) },
      logprobs: null,
      finish_reason: finish,
    },
  ],
  usage,
});

/** One server-sent event of a streamed answer. */
export const chunkEvent = (
  envelope: Envelope,
  delta: JsonObject,
  finish: FinishReason | null = null,
): string =>
  event({
    ...envelope,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  });

/** The last chunk when the client asked for usage: no choice in it. */
export const usageEvent = (envelope: Envelope, usage: CompletionUsage): string =>
  event({ ...envelope, object: 'chat.completion.chunk', choices: [], usage: { ...usage } });

export const doneEvent = 'data: [DONE]\n\n';

const event = (value: JsonValue): string => `data: ${JSON.stringify(value)}\n\n`;

/** A refusal as OpenAI words it. */
export const errorBody = (message: string, code: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param: null, code },
});
