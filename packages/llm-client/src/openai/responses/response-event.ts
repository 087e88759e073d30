import { z } from 'zod';
import { isJsonObject, type JsonObject, parseJson } from '@palabre/json';

import { orNull } from '../../lenient-schema.js';
import { plausibleUsage, type ReportedUsage } from '../answer.js';

const text = orNull(z.string());
const position = orNull(z.int().nonnegative());
const count = orNull(z.number().nonnegative());

const ContentPart = z.object({ type: text, text, refusal: text }).catch({});

/** An item of output: a message, thoughts, a call. Of other items only the type is known. */
const OutputItem = z.object({
  type: z.string(),
  id: text,
  call_id: text,
  name: text,
  arguments: text,
  phase: orNull(z.enum(['commentary', 'final_answer'])),
  content: orNull(z.array(ContentPart)),
  summary: orNull(z.array(ContentPart)),
  encrypted_content: text,
});
export type OutputItem = z.infer<typeof OutputItem>;

const Usage = z.object({
  input_tokens: count,
  output_tokens: count,
  input_tokens_details: orNull(z.object({ cached_tokens: count })),
  output_tokens_details: orNull(z.object({ reasoning_tokens: count })),
});

const Response = z.object({
  model: text,
  status: text,
  output: orNull(z.array(OutputItem.nullable().catch(null))),
  usage: orNull(Usage),
  error: z.unknown().optional(),
  incomplete_details: orNull(z.object({ reason: text })),
});
export type Response = z.infer<typeof Response>;

const ResponseEvent = z.object({
  type: text,
  output_index: position,
  item_id: text,
  content_index: position,
  summary_index: position,
  delta: text,
  text,
  refusal: text,
  arguments: text,
  item: orNull(OutputItem),
  response: orNull(Response),
});
export type ResponseEvent = z.infer<typeof ResponseEvent>;

/** An event of a stream. `type` is empty when it cannot be read. */
export interface ReadEvent extends Omit<ResponseEvent, 'type'> {
  type: string;
  /** The event as it came, because errors take many forms. */
  body: JsonObject;
}

/** Reads one event. Fields of an unexpected form are left out, so that they never make an answer unreadable. */
export function readResponseEvent(data: string, name: string): ReadEvent {
  const value = parseJson(data);
  // The type of an event that is not valid JSON may still be readable.
  if (!isJsonObject(value)) return { type: name || typeIn(data), body: {} };
  const event = ResponseEvent.parse(value);
  return { ...event, type: event.type || name, body: value };
}

function typeIn(data: string): string {
  return /^\s*\{\s*"type"\s*:\s*"([\w.]+)"/.exec(data)?.[1] ?? '';
}

/** A response that was not streamed. Null: not a response. */
export function readResponse(text: string): Response | null {
  const value = parseJson(text);
  return isJsonObject(value) ? Response.parse(value) : null;
}

export function usageOf({ usage }: Response): ReportedUsage | null {
  if (!usage) return null;
  return plausibleUsage({
    inputTokens: Math.round(usage.input_tokens ?? 0),
    outputTokens: Math.round(usage.output_tokens ?? 0),
    cachedInputTokens: Math.round(usage.input_tokens_details?.cached_tokens ?? 0),
    reasoningTokens: usage.output_tokens_details?.reasoning_tokens || null,
  });
}
