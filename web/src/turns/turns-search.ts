import type { FinishReason, TurnFilter, TurnStatus } from '../gql/graphql.js';
import { midnight } from '../i18n/dates.js';

export const STATUSES = [
  'QUEUED',
  'RUNNING',
  'IN_BACKGROUND',
  'WAITING_FOR_INPUT',
  'WAITING_FOR_APPROVAL',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
] as const satisfies TurnStatus[];

export const REASONS = [
  'ANSWERED',
  'MAX_STEPS',
  'MAX_SECONDS',
  'MAX_TOKENS',
  'CANCELLED',
  'SUPERSEDED',
  'ERROR',
] as const satisfies FinishReason[];

/** What a turn's status tells already. */
export const SAID_BY_STATUS: ReadonlySet<FinishReason> = new Set(['ANSWERED', 'CANCELLED', 'ERROR']);

/** Which turns are listed and which one is open, as the address says it. */
export interface TurnsSearch {
  /** The id of the one that is open. */
  turn?: string;
  /** When that was asked: turns of others are found by it. */
  asked?: string;
  /** An assistant's key. */
  assistant?: string;
  /** A member's id. */
  member?: string;
  status?: TurnStatus;
  reason?: FinishReason;
  /** The first day, of the reader's time zone: YYYY-MM-DD. */
  from?: string;
  /** The last day. */
  to?: string;
  /** They took so many seconds or more. */
  seconds?: number;
  /** They cost so many US dollars or more. */
  cost?: number;
}

export function searchOfTurns(given: Record<string, unknown>): TurnsSearch {
  const { assistant, member, turn, asked } = given;
  const status = STATUSES.find((one) => one === given.status);
  const reason = REASONS.find((one) => one === given.reason);
  const [from, to] = [dayIn(given.from), dayIn(given.to)];
  const [seconds, cost] = [amountIn(given.seconds), amountIn(given.cost)];
  return {
    ...(typeof turn === 'string' && isInstant(asked) && { turn, asked }),
    ...(typeof assistant === 'string' && assistant !== '' && { assistant }),
    ...(typeof member === 'string' && member !== '' && { member }),
    ...(status && { status }),
    ...(reason && { reason }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(seconds !== undefined && { seconds }),
    ...(cost !== undefined && { cost }),
  };
}

export function filterOf(search: TurnsSearch): TurnFilter {
  const { assistant, member, status, reason, from, to, seconds, cost } = search;
  return {
    ...(assistant !== undefined && { assistantKey: assistant }),
    ...(member !== undefined && { memberId: member }),
    ...(status && { status: [status] }),
    ...(reason && { finishReason: [reason] }),
    ...(from !== undefined && { from: midnight(from).toISOString() }),
    ...(to !== undefined && { to: midnight(to, 1).toISOString() }),
    ...(seconds !== undefined && { minSeconds: seconds }),
    ...(cost !== undefined && { minCostUsd: cost }),
  };
}

function isInstant(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

function dayIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  return Number.isNaN(midnight(value).getTime()) ? undefined : value;
}

function amountIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
}
