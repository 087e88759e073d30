import type { ChatMessage, ToolSpec } from '@palabre/llm-client';
import type { JsonObject } from '@palabre/json';

import type { TestClient } from './test-client.js';

const DAY_MS = 86_400_000;

export const USAGE = `query ($from: LocalDate!, $to: LocalDate!, $groupBy: [UsageGroup!]!) {
  usage(from: $from, to: $to, groupBy: $groupBy) { day memberId assistantKey model modelCalls estimatedCalls
    unpricedCalls inputTokens outputTokens cachedInputTokens costUsd } }`;
export const SET_QUOTA = `mutation ($input: SetQuotaInput!) {
  setQuota(input: $input) { subject memberId period maxTokens maxCostUsd } }`;
const PROMPTS = `query ($id: ID!) { turn(id: $id) { prompts { id purpose model messages tools inputTokens outputTokens
  cachedInputTokens reasoningTokens estimated costUsd outcome } } }`;
const TURN_USAGE = `query ($id: ID!) { turn(id: $id) { usage { modelCalls inputTokens outputTokens cachedInputTokens
  costUsd } } }`;

/** What is counted of turns as well as of days. */
export interface Counted {
  modelCalls: number;
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  costUsd: number | null;
}

export interface UsageRowView extends Counted {
  day: string | null;
  memberId: string | null;
  assistantKey: string | null;
  model: string | null;
  estimatedCalls: number;
  unpricedCalls: number;
}

export interface PromptView {
  id: string;
  purpose: string;
  model: string;
  messages: ChatMessage[];
  tools: ToolSpec[];
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  reasoningTokens: number;
  estimated: boolean;
  costUsd: number | null;
  outcome: string;
}

/** The days around `now`: wherever midnight is, it is in there. */
export function daysAround(now = new Date()): { from: string; to: string } {
  const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  return { from: dayOf(now.getTime() - DAY_MS), to: dayOf(now.getTime() + DAY_MS) };
}

export async function usageOf(
  client: TestClient,
  groupBy: readonly string[],
  days = daysAround(),
): Promise<UsageRowView[]> {
  return (await client.get<{ usage: UsageRowView[] }>(USAGE, { ...days, groupBy })).usage;
}

export async function turnUsageOf(client: TestClient, id: string): Promise<Counted> {
  return (await client.get<{ turn: { usage: Counted } }>(TURN_USAGE, { id })).turn.usage;
}

export async function promptsOf(client: TestClient, id: string): Promise<PromptView[]> {
  return (await client.get<{ turn: { prompts: PromptView[] } }>(PROMPTS, { id })).turn.prompts;
}

export function setQuota(client: TestClient, input: object): Promise<unknown> {
  return client.get(SET_QUOTA, { input });
}

/** A request that the provider received, as the prompts of a turn tell of it. */
export function sentIn(body: JsonObject): { messages: ChatMessage[]; tools: ToolSpec[] } {
  const messages = body.messages as unknown as {
    role: 'system' | 'user' | 'assistant' | 'tool';
    content?: string | null;
    tool_calls?: { id: string; function: { name: string; arguments: string } }[];
    tool_call_id?: string;
  }[];
  const tools = (body.tools ?? []) as unknown as { function: ToolSpec }[];
  return {
    messages: messages.map(({ role, content, tool_calls: made, tool_call_id: toolCallId }) => ({
      role,
      content: content ?? '',
      ...(made ? { toolCalls: made.map(({ id, function: call }) => ({ id, ...call })) } : {}),
      ...(toolCallId === undefined ? {} : { toolCallId }),
    })) as ChatMessage[],
    tools: tools.map(({ function: tool }) => tool),
  };
}
