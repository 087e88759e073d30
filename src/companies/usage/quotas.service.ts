import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/clock.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { type Asked, type QuotaPeriod, QuotaRepository, type QuotaStanding } from './quota.repository.js';

/** Checks quotas. Admins set them by UsageService. */
@Injectable()
export class Quotas {
  constructor(
    private readonly quotas: QuotaRepository,
    private readonly clock: Clock,
  ) {}

  /** The member's used-up quota for a model. Null: none. */
  async findSpent(tx: Transaction, memberId: string, asked: Asked): Promise<SpentQuota | null> {
    const now = this.clock.now();
    const standings = await this.quotas.listStanding(tx, memberId, asked, now.toISOString().slice(0, 10));
    return findSpent(standings, now);
  }

  /** Like `findSpent`, but rejects with QuotaSpent, for people who read `language` (BCP 47). Default: English. */
  async refuseSpent(tx: Transaction, memberId: string, asked: Asked, language?: string): Promise<void> {
    const spent = await this.findSpent(tx, memberId, asked);
    if (spent) throw new QuotaSpent(spent, language);
  }

  /** Whether the company has any quota. */
  exist(tx: Transaction): Promise<boolean> {
    return this.quotas.exists(tx);
  }
}

/** A used-up quota. */
export interface SpentQuota {
  /** The owner of the quota. */
  of: 'company' | 'member';
  period: QuotaPeriod;
  /** The provider that it applies to: its key, or INSTALLATION. Empty: all models. */
  provider: string;
  resetsAt: Date;
}

/** Its message is for logs. `spentQuotaIn` has the words for people. */
export class QuotaSpent extends Error {
  override readonly name = 'QuotaSpent';

  constructor(
    readonly quota: SpentQuota,
    /** The assistant's language, BCP 47. */
    readonly language = 'en',
  ) {
    super('A quota is used up.');
  }
}

/**
 * The member's used-up quota that resets last. Null: none. A quota for each member applies only to members without a
 * quota of their own for the same period and provider.
 */
export function findSpent(standings: readonly QuotaStanding[], now: Date): SpentQuota | null {
  const own = standings.filter(({ subject }) => subject !== 'COMPANY' && subject !== 'EACH_MEMBER');
  const spent = standings
    .filter((quota) => quota.subject !== 'EACH_MEMBER' || !own.some((other) => isSameSpan(quota, other)))
    .filter(isSpent)
    // The last reset comes first.
    .toSorted((a, b) => resetOf(b.period, now).getTime() - resetOf(a.period, now).getTime());
  const [last] = spent;
  if (!last) return null;
  const { subject, period, provider } = last;
  return {
    of: subject === 'COMPANY' ? 'company' : 'member',
    period,
    provider,
    resetsAt: resetOf(period, now),
  };
}

function isSameSpan(one: QuotaStanding, other: QuotaStanding): boolean {
  return one.period === other.period && one.provider === other.provider;
}

function isSpent({ maxTokens, maxCostUsd, tokens, costUsd }: QuotaStanding): boolean {
  return (maxTokens !== null && tokens >= maxTokens) || (maxCostUsd !== null && costUsd >= maxCostUsd);
}

/** The first moment of the next day or month, UTC. */
function resetOf(period: QuotaPeriod, now: Date): Date {
  return period === 'DAY'
    ? new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
    : new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}
