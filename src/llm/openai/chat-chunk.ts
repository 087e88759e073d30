import { z } from 'zod';
import type { ToolCallFragment } from './tool-call-assembler.js';

/** The few facts used of a chunk, whatever provider sent it. */
export interface ChatChunk {
  model: string | null;
  text: string;
  reasoning: string;
  fragments: ToolCallFragment[];
  /** The provider's own word. */
  finishReason: string | null;
  usage: ChunkUsage | null;
  /** The provider's error object, unread. */
  error: unknown;
}

export interface ChunkUsage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  /** Part of the output; null: the provider does not tell. */
  reasoningTokens: number | null;
}

/** More than any model reads in one call: a provider that tells of more has not counted, and no row would hold it. */
const MOST_TOKENS = 100_000_000;

const orNull = <T extends z.ZodType>(type: T) => type.nullish().catch(null);
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
  reasoning_details: orNull(z.array(z.object({ text: orNull(z.string()), summary: orNull(z.string()) }))),
  tool_calls: z
    .array(
      z.object({
        index: orNull(z.int()),
        id: z.string().nullish(),
        function: FunctionPart.nullish(),
      }),
    )
    .nullish(),
  function_call: FunctionPart.nullish(),
});
type Delta = z.infer<typeof Delta>;

const Usage = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: orNull(z.object({ cached_tokens: count })),
  completion_tokens_details: orNull(z.object({ reasoning_tokens: count })),
  prompt_cache_hit_tokens: count,
  cached_tokens: count,
});

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
  x_groq: orNull(z.object({ usage: orNull(Usage) })),
  error: z.unknown().optional(),
  object: z.unknown().optional(),
  type: z.unknown().optional(),
});

/**
 * Reads one parsed chunk; throws ZodError where a field that carries the answer has a shape nobody knows.
 * A `message` counts only while nothing has come by `delta`: some providers send the whole text again in it.
 */
export function readChatChunk(value: unknown, options: { useMessage: boolean }): ChatChunk {
  const chunk = Chunk.parse(value);
  // Several choices are never asked for; where they come all the same, the first is the answer.
  const choice = chunk.choices?.find(({ index }) => (index ?? 0) === 0);
  const message = options.useMessage && choice?.message ? Delta.parse(choice.message) : null;
  const delta = choice?.delta ?? message;
  const usage = chunk.usage ?? choice?.usage ?? chunk.x_groq?.usage;
  return {
    model: chunk.model || null,
    text: delta ? textOf(delta) : '',
    reasoning: delta ? reasoningOf(delta) : '',
    fragments: delta ? fragmentsOf(delta) : [],
    finishReason: choice?.finish_reason || null,
    usage: usage ? usageOf(usage) : null,
    error: chunk.error ?? choice?.error ?? (isBareError(chunk) ? value : null),
  };
}

/** Some send the error itself where others send an object that holds it. */
const isBareError = ({ choices, object, type }: z.infer<typeof Chunk>): boolean =>
  !choices && (object === 'error' || type === 'error');

const partsOf = ({ content }: Delta) => (Array.isArray(content) ? content : content ? [content] : []);

function textOf(delta: Delta): string {
  const parts = partsOf(delta).map((part) => {
    if (typeof part === 'string') return part;
    return isReasoning(part) ? '' : (part.text ?? part.refusal ?? '');
  });
  // A refusal is the model's own answer; it comes instead of content, never with it.
  return parts.join('') || (delta.refusal ?? '');
}

function reasoningOf(delta: Delta): string {
  const details = (): string =>
    (delta.reasoning_details ?? []).map(({ text, summary }) => text ?? summary ?? '').join('');
  // The same words under two names: one of them is enough.
  const fields = delta.reasoning_content || delta.reasoning || details();
  const parts = partsOf(delta).map((part) => (typeof part === 'string' ? '' : thinkingOf(part)));
  return fields + parts.join('');
}

type ContentPart = Exclude<z.infer<typeof Part>, string>;

const isReasoning = ({ type }: ContentPart): boolean => type === 'thinking' || type === 'reasoning';

function thinkingOf(part: ContentPart): string {
  if (!isReasoning(part)) return '';
  if (typeof part.thinking === 'string') return part.thinking;
  return part.thinking ? part.thinking.map(({ text }) => text ?? '').join('') : (part.text ?? '');
}

function fragmentsOf({ tool_calls, function_call }: Delta): ToolCallFragment[] {
  const fragments = (tool_calls ?? []).map((call) =>
    fragmentOf(call.function, call.index ?? null, call.id || null),
  );
  // The older form knows one call only, without an id; some send it beside the newer one.
  if (function_call && fragments.length === 0) fragments.push(fragmentOf(function_call, 0, null));
  return fragments;
}

function fragmentOf(
  part: z.infer<typeof FunctionPart> | null | undefined,
  index: number | null,
  id: string | null,
): ToolCallFragment {
  const text = part?.arguments ?? '';
  return {
    index,
    id,
    name: part?.name || null,
    arguments: typeof text === 'string' ? text : JSON.stringify(text),
  };
}

/** Null: what is told cannot be. */
function usageOf(usage: z.infer<typeof Usage>): ChunkUsage | null {
  const input = usage.prompt_tokens ?? 0;
  const output = usage.completion_tokens ?? 0;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  // xAI leaves the reasoning out of completion_tokens, though it is paid for; its total tells.
  const leftOut = reasoning > 0 && usage.total_tokens === input + output + reasoning;
  const cached = [
    usage.prompt_tokens_details?.cached_tokens,
    usage.prompt_cache_hit_tokens,
    usage.cached_tokens,
  ];
  const told = {
    inputTokens: Math.round(input),
    outputTokens: Math.round(leftOut ? output + reasoning : output),
    cachedInputTokens: Math.round(cached.find((value) => value) ?? 0),
    reasoningTokens: reasoning > 0 ? Math.round(reasoning) : null,
  };
  return Math.max(...Object.values(told).map(Number)) <= MOST_TOKENS ? told : null;
}
