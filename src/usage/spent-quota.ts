import type { QuotaPeriod } from './quota.entity.js';
import type { QuotaStanding } from './quota.repository.js';

/** A quota that is used up. */
export interface SpentQuota {
  /** For people. */
  message: string;
  resetsAt: Date;
}

/** What is asked for would go beyond what is granted. */
export class QuotaSpent extends Error {
  override readonly name = 'QuotaSpent';

  constructor(readonly quota: SpentQuota) {
    super(quota.message);
  }
}

/**
 * Of the standings, all of one member, the used-up one that lasts longest: null when none is. What is granted to each member
 * holds for those who have nothing of their own for the period.
 */
export const findSpent = (standings: readonly QuotaStanding[], now: Date): SpentQuota | null => {
  const own = new Set(standings.filter(({ subject }) => isMember(subject)).map(({ period }) => period));
  const spent = standings
    .filter(({ subject, period }) => subject !== 'EACH_MEMBER' || !own.has(period))
    .filter(isSpent)
    // Whoever waits for the later one waits for both.
    .toSorted((a, b) => resetOf(b.period, now).getTime() - resetOf(a.period, now).getTime());
  const [last] = spent;
  if (!last) return null;
  const whose = last.subject === 'COMPANY' ? 'Your company has' : 'You have';
  const period = last.period === 'DAY' ? 'today' : 'this month';
  return {
    message: `${whose} used up what was granted for ${period}. An admin can raise the quota.`,
    resetsAt: resetOf(last.period, now),
  };
};

const isMember = (subject: string): boolean => subject !== 'COMPANY' && subject !== 'EACH_MEMBER';

const isSpent = ({ maxTokens, maxCostUsd, tokens, costUsd }: QuotaStanding): boolean =>
  (maxTokens !== null && tokens >= maxTokens) || (maxCostUsd !== null && costUsd >= maxCostUsd);

/** The first moment of the next day or month, UTC. */
const resetOf = (period: QuotaPeriod, now: Date): Date =>
  period === 'DAY'
    ? new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
    : new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
