import { z } from 'zod';

const content = z
  .union([z.string(), z.array(z.looseObject({ text: z.string().optional() })), z.null()])
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

/** The part of JSON Schema by which arguments are filled. */
const schema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  pattern: z.string().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maxItems: z.number().optional(),
  minProperties: z.number().optional(),
  required: z.array(z.string()).optional(),
  get anyOf() {
    return z.array(schema).optional();
  },
  get items() {
    return schema.optional();
  },
  get properties() {
    return z.record(z.string(), schema).optional();
  },
});

export type Schema = z.infer<typeof schema>;

const tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().min(1),
    description: z.string().default(''),
    parameters: schema.default({}),
  }),
});

const toolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z
    .object({ type: z.literal('function'), function: z.object({ name: z.string() }) })
    .transform((choice) => choice.function),
]);

const tokenLimit = z.number().int().positive().nullish();

/** The part of OpenAI's request that is read. */
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
export type Message = CompletionRequest['messages'][number];
export type Tool = CompletionRequest['tools'][number]['function'];

export interface ToolCall {
  name: string;
  arguments: object;
}

export type Reply = { text: string } | { calls: readonly ToolCall[] };

export type FinishReason = 'stop' | 'tool_calls' | 'length';

export interface Answer {
  text: string | null;
  calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
  finish: FinishReason;
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
  /** Repeated in every chunk of an answer. */
  envelope: { id: string; created: number; model: string };
}

export function completionBody({ envelope, text, calls, finish, usage }: Answer): object {
  return {
    ...envelope,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text,
          refusal: null,
          ...(calls.length > 0 && { tool_calls: calls }),
        },
        logprobs: null,
        finish_reason: finish,
      },
    ],
    usage,
  };
}

export function chunkEvent({ envelope }: Answer, delta: object, finish: FinishReason | null = null): string {
  return event({
    ...envelope,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  });
}

/** The last chunk, which has no choice, for clients that asked for usage. */
export function usageEvent({ envelope, usage }: Answer): string {
  return event({ ...envelope, object: 'chat.completion.chunk', choices: [], usage });
}

export const doneEvent = 'data: [DONE]\n\n';

function event(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

export function errorBody(message: string, code: string | null, isOurs = false): object {
  return {
    error: { message, type: isOurs ? 'server_error' : 'invalid_request_error', param: null, code },
  };
}
