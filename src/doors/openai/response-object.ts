import type { JsonObject, JsonValue } from '@palabre/json';

import { wordingIn } from '../../common/wording/wording.js';
import type { ClientSkill } from '../../conversations/turns/start/client-skills.js';
import type { TurnError, Usage } from '../../conversations/turns/turn-event.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import { prefixed, type ResponseAddress, responseId } from './openai-ids.js';
import type { ResponseRequest } from './response-request.js';

/** The fields of a request that responses repeat, with defaults. Stored with the turn, for later responses. */
export function echoOf(request: Partial<ResponseRequest>, previous: ResponseAddress | null) {
  const { tool_choice, text, reasoning } = request;
  const format = text?.format;
  return {
    previous_response_id: previous && responseId(previous),
    instructions: request.instructions ?? null,
    tool_choice: (tool_choice ?? 'auto') as JsonValue,
    truncation: request.truncation ?? 'disabled',
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    text: {
      format:
        format?.type === 'json_schema'
          ? { ...format, description: format.description ?? null, strict: format.strict ?? false }
          : { type: format?.type ?? 'text' },
      verbosity: text?.verbosity ?? 'medium',
    },
    top_p: request.top_p ?? 1,
    presence_penalty: request.presence_penalty ?? 0,
    frequency_penalty: request.frequency_penalty ?? 0,
    top_logprobs: request.top_logprobs ?? 0,
    temperature: request.temperature ?? 1,
    reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    store: request.store ?? true,
    background: request.background ?? false,
    service_tier: request.service_tier ?? 'default',
    metadata: request.metadata ?? {},
    safety_identifier: request.safety_identifier ?? null,
    prompt_cache_key: request.prompt_cache_key ?? null,
  };
}
type ResponseEcho = ReturnType<typeof echoOf>;

/** Null: the turn came through another protocol. */
export function echoIn({ client }: Turn): ResponseEcho | null {
  return client && 'tool_choice' in client.echo ? (client.echo as ResponseEcho) : null;
}

export interface ResponseFacts {
  address: ResponseAddress;
  createdAt: Date;
  /** The assistant's key. */
  model: string;
  /** The assistant's. */
  language: string;
  /** Null: none. */
  conversationId: string | null;
  clientSkills: readonly ClientSkill[];
  echo: ResponseEcho;
}

export type OutputItem = JsonObject & { id: string; type: string };

type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

export interface ResponseState {
  status: ResponseStatus;
  output: readonly OutputItem[];
  usage: JsonObject | null;
  error: { code: string; message: string } | null;
  /** Why it is incomplete. Null: complete or in progress. */
  incomplete: string | null;
  completedAt: Date | null;
}

/** The resource of Open Responses, with all required fields. */
export function responseObject(facts: ResponseFacts, state: ResponseState): JsonObject {
  const { address, createdAt, model, conversationId, clientSkills, echo } = facts;
  const { status, output, usage, error, incomplete, completedAt } = state;
  return {
    id: responseId(address),
    object: 'response',
    created_at: secondsOf(createdAt),
    completed_at: completedAt && secondsOf(completedAt),
    status,
    incomplete_details: incomplete === null ? null : { reason: incomplete },
    model,
    conversation: conversationId === null ? null : { id: prefixed('conv', conversationId) },
    output: [...output],
    error,
    tools: clientSkills.map(toolOf),
    user: null,
    usage,
    ...echo,
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

/** `language`: of the text for an error that has none. */
export function errorObject(error: TurnError | null, language: string): { code: string; message: string } {
  const { code = 'INTERNAL', message = wordingIn(language).doors.failed } = error ?? {};
  if (code === 'RATE_LIMITED') return { code: 'rate_limit_exceeded', message };
  return { code: code === 'INTERNAL' ? 'server_error' : code.toLowerCase(), message };
}
