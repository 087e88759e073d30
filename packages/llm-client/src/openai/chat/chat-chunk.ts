import { z } from 'zod';
import type { JsonObject } from '@palabre/json';

import { orNull } from '../../lenient-schema.js';
import { plausibleUsage, type ReportedUsage } from '../answer.js';
import { type EchoPieces, jsonObject } from '../echo.js';
import { BaseResp, baseRespError } from '../provider-error.js';
import type { ToolCallFragment } from './tool-call-assembler.js';

/** The facts used of a chunk, in the same form for all providers. */
export interface ChatChunk {
  model: string | null;
  text: string;
  reasoning: string;
  fragments: ToolCallFragment[];
  /** What the model may need back. Null: nothing. */
  echo: EchoPieces | null;
  /** In the provider's words. */
  finishReason: string | null;
  usage: ReportedUsage | null;
  /** The provider's error object, not parsed. */
  error: unknown;
}

const count = orNull(z.number().nonnegative());

const Part = z.union([
  z.string(),
  z.object({
    type: orNull(z.string()),
    text: orNull(z.string()),
    thinking: z.union([z.string(), z.array(z.object({ text: orNull(z.string()) }))]).nullish(),
    refusal: orNull(z.string()),
  }),
]);

const FunctionPart = z.object({
  name: z.string().nullish(),
  arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
});

const Delta = z.object({
  content: z.union([z.string(), z.array(Part), Part]).nullish(),
  refusal: orNull(z.string()),
  reasoning_content: orNull(z.string()),
  reasoning: orNull(z.string()),
  reasoning_details: orNull(z.array(jsonObject)),
  extra_content: orNull(jsonObject),
  tool_calls: z
    .array(
      z.object({
        index: orNull(z.int()),
        id: z.string().nullish(),
        function: FunctionPart.nullish(),
        extra_content: orNull(jsonObject),
      }),
    )
    .nullish(),
  function_call: FunctionPart.nullish(),
});
type Delta = z.infer<typeof Delta>;

const usageFields = {
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: orNull(z.object({ cached_tokens: count, cache_write_tokens: count })),
  completion_tokens_details: orNull(z.object({ reasoning_tokens: count })),
  prompt_cache_hit_tokens: count,
  prompt_cache_miss_tokens: count,
  cached_tokens: count,
};
const Usage = z.looseObject(usageFields);
type Usage = z.infer<typeof Usage>;

const Chunk = z.object({
  model: orNull(z.string()),
  choices: z
    .array(
      z.object({
        index: orNull(z.int()),
        delta: Delta.nullish(),
        message: z.unknown().optional(),
        finish_reason: orNull(z.string()),
        usage: orNull(Usage),
        error: z.unknown().optional(),
      }),
    )
    .nullish(),
  usage: orNull(Usage),
  x_groq: orNull(z.object({ usage: orNull(Usage), error: z.unknown().optional() })),
  base_resp: orNull(BaseResp),
  error: z.unknown().optional(),
  object: z.unknown().optional(),
  type: z.unknown().optional(),
  message: z.unknown().optional(),
  msg: z.unknown().optional(),
  detail: z.unknown().optional(),
});
type Chunk = z.infer<typeof Chunk>;

interface ChunkReading {
  /** True until something came by `delta`: some providers repeat the whole text in `message`. */
  useMessage: boolean;
  /** Whether the event's name is `error`. */
  isError?: boolean;
}

/** Reads a parsed chunk. Throws ZodError if a field of the answer has an unknown form. */
export function readChatChunk(value: unknown, options: ChunkReading): ChatChunk {
  const chunk = Chunk.parse(value);
  // Several choices are never requested. If they come, the first is the answer.
  const choice = chunk.choices?.find(({ index }) => (index ?? 0) === 0);
  const message = options.useMessage && choice?.message ? Delta.parse(choice.message) : null;
  const delta = choice?.delta ?? message;
  const usage = chunk.usage ?? choice?.usage ?? chunk.x_groq?.usage;
  return {
    model: chunk.model || null,
    text: delta ? textOf(delta) : '',
    reasoning: delta ? reasoningOf(delta) : '',
    fragments: delta ? fragmentsOf(delta) : [],
    echo: delta ? echoOf(delta) : null,
    finishReason: choice?.finish_reason || null,
    usage: usage ? usageOf(usage) : null,
    error:
      chunk.error ??
      choice?.error ??
      chunk.x_groq?.error ??
      baseRespError(chunk.base_resp) ??
      (options.isError || isBareError(chunk) ? value : null),
  };
}

export function hasOutputIn({ text, reasoning, fragments }: ChatChunk): boolean {
  return text !== '' || reasoning !== '' || fragments.length > 0;
}

/** Whether a chunk has nothing about an answer. */
export function isEmptyChunk(chunk: ChatChunk): boolean {
  return !hasOutputIn(chunk) && chunk.finishReason === null && chunk.usage === null;
}

/** Some providers send the error itself, others an object that holds it. */
function isBareError({ choices, object, type, message, msg, detail }: Chunk): boolean {
  return !choices && (object === 'error' || type === 'error' || [message, msg, detail].some(areWords));
}

/** FastAPI lists the errors. */
function areWords(value: unknown): boolean {
  return Array.isArray(value) || (typeof value === 'string' && value !== '');
}

function partsOf({ content }: Delta) {
  return Array.isArray(content) ? content : content ? [content] : [];
}

function textOf(delta: Delta): string {
  const parts = partsOf(delta).map((part) => {
    if (typeof part === 'string') return part;
    return isReasoning(part) ? '' : (part.text ?? part.refusal ?? '');
  });
  // A refusal is the model's own answer, instead of content.
  return parts.join('') || (delta.refusal ?? '');
}

function reasoningOf(delta: Delta): string {
  const details = (): string => {
    const words = (delta.reasoning_details ?? []).map(({ text, summary }) => text ?? summary);
    return words.filter((value) => typeof value === 'string').join('');
  };
  // The same text under two names. One is enough.
  const fields = delta.reasoning_content || delta.reasoning || details();
  const parts = partsOf(delta).map((part) => (typeof part === 'string' ? '' : thinkingOf(part)));
  return fields + parts.join('');
}

type ContentPart = Exclude<z.infer<typeof Part>, string>;

function isReasoning({ type }: ContentPart): boolean {
  return type === 'thinking' || type === 'reasoning';
}

function thinkingOf(part: ContentPart): string {
  if (!isReasoning(part)) return '';
  if (typeof part.thinking === 'string') return part.thinking;
  return part.thinking ? part.thinking.map(({ text }) => text ?? '').join('') : (part.text ?? '');
}

function echoOf({ reasoning_content, reasoning_details, extra_content }: Delta): EchoPieces | null {
  if (!reasoning_content && !reasoning_details?.length && !extra_content) return null;
  return {
    reasoningContent: reasoning_content ?? '',
    reasoningDetails: reasoning_details ?? [],
    extra: extra_content ?? null,
  };
}

function fragmentsOf({ tool_calls, function_call }: Delta): ToolCallFragment[] {
  const fragments = (tool_calls ?? []).map((call) =>
    fragmentOf(call.function, call.index ?? null, call.id || null, call.extra_content ?? null),
  );
  // The older form has one call without an id. Some providers send it beside the newer one.
  if (function_call && fragments.length === 0) fragments.push(fragmentOf(function_call, 0, null, null));
  return fragments;
}

function fragmentOf(
  part: z.infer<typeof FunctionPart> | null | undefined,
  index: number | null,
  id: string | null,
  extra: JsonObject | null,
): ToolCallFragment {
  const text = part?.arguments ?? '';
  return {
    index,
    id,
    name: part?.name || null,
    arguments: typeof text === 'string' ? text : JSON.stringify(text),
    extra,
  };
}

/** Null: implausible counts. */
function usageOf(usage: Usage): ReportedUsage | null {
  const input = usage.prompt_tokens ?? 0;
  const output = usage.completion_tokens ?? 0;
  const told = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  const cached =
    [usage.prompt_tokens_details?.cached_tokens, usage.prompt_cache_hit_tokens, usage.cached_tokens].find(
      (value) => value,
    ) ?? 0;
  // xAI leaves reasoning out of completion_tokens, but its total includes it.
  const isLeftOut = told > 0 && usage.total_tokens === input + output + told;
  const leftOut = isLeftOut ? told : untoldThoughts(usage, cached);
  return plausibleUsage({
    inputTokens: Math.round(input),
    outputTokens: Math.round(output + leftOut),
    cachedInputTokens: Math.round(cached),
    reasoningTokens: Math.round(told || leftOut) || null,
  });
}

/**
 * Gemini bills thoughts like text, and only its total includes them. Elsewhere the rest of a total may be cheap
 * prompt tokens: gateways for Anthropic and Bedrock leave cache reads and writes out of the prompt, and others count
 * searches or citations. So the rest counts as thoughts only if the provider reports no reasoning, not even zero, and
 * nothing else that could explain it.
 */
function untoldThoughts(usage: Usage, cached: number): number {
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = usage;
  if (!input || output == null || total == null) return 0;
  const beyond = total - input - output;
  const isCache =
    cached > input || cached === beyond || Boolean(usage.prompt_tokens_details?.cache_write_tokens);
  const isTold = usage.completion_tokens_details?.reasoning_tokens != null;
  return beyond <= 0 || isCache || isTold || hasOtherCounts(usage) ? 0 : beyond;
}

function hasOtherCounts(usage: Usage): boolean {
  return Object.entries(usage).some(
    ([name, value]) => !(name in usageFields) && name.endsWith('_tokens') && Number(value) > 0,
  );
}
