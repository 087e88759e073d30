import { z } from 'zod';

/**
 * What the specification of Open Responses (2026-04-24, openresponses.org) demands of responses and of the events of their
 * streams, written anew as far as servers without tools of their own can meet it.
 */

const itemStatus = z.enum(['in_progress', 'completed', 'incomplete']);

const annotation = z.object({
  type: z.literal('url_citation'),
  url: z.string(),
  start_index: z.int(),
  end_index: z.int(),
  title: z.string(),
});

const outputText = z.object({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(annotation),
  logprobs: z.array(z.object({ token: z.string(), logprob: z.number() })).optional(),
});
const summaryText = z.object({ type: z.literal('summary_text'), text: z.string() });
const contentPart = z.discriminatedUnion('type', [
  outputText,
  summaryText,
  z.object({ type: z.enum(['input_text', 'text', 'reasoning_text']), text: z.string() }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
]);

const item = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message'),
    id: z.string(),
    status: itemStatus,
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    content: z.array(contentPart),
    phase: z.enum(['commentary', 'final_answer']).optional(),
  }),
  z.object({
    type: z.literal('function_call'),
    id: z.string(),
    call_id: z.string().min(1).max(64),
    name: z.string(),
    arguments: z.string(),
    status: itemStatus,
  }),
  z.object({
    type: z.literal('reasoning'),
    id: z.string(),
    summary: z.array(contentPart),
    content: z.array(contentPart).optional(),
    encrypted_content: z.string().optional(),
  }),
  z.object({ type: z.literal('compaction'), id: z.string(), encrypted_content: z.string() }),
]);

const usage = z.object({
  input_tokens: z.int(),
  output_tokens: z.int(),
  total_tokens: z.int(),
  input_tokens_details: z.object({ cached_tokens: z.int() }),
  output_tokens_details: z.object({ reasoning_tokens: z.int() }),
});

const effort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']);

export const responseResource = z.object({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.int(),
  completed_at: z.int().nullable(),
  status: z.string(),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
  model: z.string(),
  previous_response_id: z.string().nullable(),
  instructions: z.string().nullable(),
  output: z.array(item),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  tools: z.array(
    z.object({
      type: z.literal('function'),
      name: z.string(),
      description: z.string().nullable(),
      parameters: z.record(z.string(), z.unknown()).nullable(),
      strict: z.boolean().nullable(),
    }),
  ),
  tool_choice: z.union([
    z.enum(['none', 'auto', 'required']),
    z.object({ type: z.literal('function'), name: z.string().optional() }),
  ]),
  truncation: z.enum(['auto', 'disabled']),
  parallel_tool_calls: z.boolean(),
  text: z.object({
    format: z.object({ type: z.enum(['text', 'json_object', 'json_schema']) }),
    verbosity: z.enum(['low', 'medium', 'high']).optional(),
  }),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: z.int(),
  temperature: z.number(),
  reasoning: z
    .object({ effort: effort.nullable(), summary: z.enum(['concise', 'detailed', 'auto']).nullable() })
    .nullable(),
  usage: usage.nullable(),
  max_output_tokens: z.int().nullable(),
  max_tool_calls: z.int().nullable(),
  store: z.boolean(),
  background: z.boolean(),
  service_tier: z.string(),
  metadata: z.record(z.string(), z.string()),
  safety_identifier: z.string().nullable(),
  prompt_cache_key: z.string().nullable(),
});

export const compactResource = z.object({
  id: z.string(),
  object: z.literal('response.compaction'),
  output: z.array(item),
  created_at: z.int(),
  usage,
});

const numbered = { sequence_number: z.int().min(0) };
const inItem = { ...numbered, item_id: z.string(), output_index: z.int() };
const inContent = { ...inItem, content_index: z.int() };
const inSummary = { ...inItem, summary_index: z.int() };

export const streamingEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.enum([
      'response.created',
      'response.queued',
      'response.in_progress',
      'response.completed',
      'response.failed',
      'response.incomplete',
    ]),
    ...numbered,
    response: responseResource,
  }),
  z.object({
    type: z.enum(['response.output_item.added', 'response.output_item.done']),
    ...numbered,
    output_index: z.int(),
    item: item.nullable(),
  }),
  z.object({
    type: z.enum(['response.content_part.added', 'response.content_part.done']),
    ...inContent,
    part: contentPart,
  }),
  z.object({ type: z.literal('response.output_text.delta'), ...inContent, delta: z.string() }),
  z.object({ type: z.literal('response.output_text.done'), ...inContent, text: z.string() }),
  z.object({ type: z.literal('response.function_call_arguments.delta'), ...inItem, delta: z.string() }),
  z.object({ type: z.literal('response.function_call_arguments.done'), ...inItem, arguments: z.string() }),
  z.object({
    type: z.enum(['response.reasoning_summary_part.added', 'response.reasoning_summary_part.done']),
    ...inSummary,
    part: contentPart,
  }),
  z.object({ type: z.literal('response.reasoning_summary_text.delta'), ...inSummary, delta: z.string() }),
  z.object({ type: z.literal('response.reasoning_summary_text.done'), ...inSummary, text: z.string() }),
]);

export const socketError = z.object({
  type: z.literal('error'),
  status: z.int().optional(),
  error: z.object({ code: z.string().nullable(), message: z.string(), param: z.string().nullish() }),
});
