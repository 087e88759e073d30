import type { JsonObject, JsonValue } from '../../common/json.js';
import type { ClientSkill } from '../../conversations/turns/start/client-skills.js';
import type { Usage } from '../../conversations/turns/turn-event.js';
import { prefixed, type ResponseAddress, responseId } from './openai-ids.js';
import type { Repeated } from './response-request.js';

/** What is kept with a turn so that its responses repeat the request, also much later. */
export type ResponseEcho = Repeated & {
  previous: string | null;
  instructions: string | null;
  toolChoice: JsonValue;
  textFormat: JsonValue;
  verbosity: string;
  background: boolean;
  store: boolean;
};

/** What does not change while a response is made. */
export interface ResponseFacts {
  address: ResponseAddress;
  createdAt: Date;
  /** The assistant's key. */
  model: string;
  conversationId: string;
  previous: string | null;
  clientSkills: readonly ClientSkill[];
  /** Null: the turn did not come by this protocol. */
  echo: ResponseEcho | null;
}

export type OutputItem = JsonObject & { id: string; type: string };

export type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

/** How far a response is. */
export interface ResponseState {
  status: ResponseStatus;
  output: readonly OutputItem[];
  usage: JsonObject | null;
  error: { code: string; message: string } | null;
  /** Why it is not whole; null: it is, or is under way. */
  incomplete: string | null;
  completedAt: Date | null;
}

/** The resource of Open Responses, with every field that it demands. */
export function responseObject(facts: ResponseFacts, state: ResponseState): JsonObject {
  const { address, createdAt, model, conversationId, previous, clientSkills, echo } = facts;
  const { status, output, usage, error, incomplete, completedAt } = state;
  return {
    id: responseId(address),
    object: 'response',
    created_at: secondsOf(createdAt),
    completed_at: completedAt && secondsOf(completedAt),
    status,
    incomplete_details: incomplete === null ? null : { reason: incomplete },
    model,
    previous_response_id: previous,
    conversation: { id: prefixed('conv', conversationId) },
    instructions: echo?.instructions ?? null,
    output: [...output],
    error,
    tools: clientSkills.map(toolOf),
    tool_choice: echo?.toolChoice ?? 'auto',
    truncation: echo?.truncation ?? 'disabled',
    parallel_tool_calls: echo?.parallel_tool_calls ?? true,
    text: { format: echo?.textFormat ?? { type: 'text' }, verbosity: echo?.verbosity ?? 'medium' },
    top_p: echo?.top_p ?? 1,
    presence_penalty: echo?.presence_penalty ?? 0,
    frequency_penalty: echo?.frequency_penalty ?? 0,
    top_logprobs: echo?.top_logprobs ?? 0,
    temperature: echo?.temperature ?? 1,
    reasoning: { effort: echo?.reasoning?.effort ?? null, summary: echo?.reasoning?.summary ?? null },
    user: null,
    usage,
    max_output_tokens: echo?.max_output_tokens ?? null,
    max_tool_calls: echo?.max_tool_calls ?? null,
    store: echo?.store ?? true,
    background: echo?.background ?? false,
    service_tier: echo?.service_tier ?? 'default',
    metadata: echo?.metadata ?? {},
    safety_identifier: echo?.safety_identifier ?? null,
    prompt_cache_key: echo?.prompt_cache_key ?? null,
  };
}

function toolOf({ key: name, description, parameters }: ClientSkill): JsonObject {
  return { type: 'function', name, description, parameters, strict: false };
}

/** Usage in the form of Responses. */
export function usageObject(usage: Usage, reasoningTokens: number): JsonObject {
  const { inputTokens, outputTokens, cachedInputTokens } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  };
}

export function secondsOf(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
