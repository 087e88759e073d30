export const usageGroups = ['DAY', 'MEMBER', 'ASSISTANT', 'MODEL'] as const;
export type UsageGroup = (typeof usageGroups)[number];

/** What calls used up together. The first four are null where it is not grouped by them. */
export interface UsageRow {
  /** `2026-01-31`, UTC. */
  day: string | null;
  memberId: string | null;
  assistantKey: string | null;
  model: string | null;
  modelCalls: number;
  /** Those whose tokens the provider did not count. */
  estimatedCalls: number;
  /** Those that `costUsd` is without. */
  unpricedCalls: number;
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  costUsd: number;
}
