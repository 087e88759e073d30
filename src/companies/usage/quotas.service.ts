import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/clock.js';
import { fill, wordingIn } from '../../common/wording/wording.js';
import type { Transaction } from '../../platform/database/transaction.js';
import {
  type Asked,
  INSTALLATION,
  type QuotaPeriod,
  QuotaRepository,
  type QuotaStanding,
} from './quota.repository.js';

/** What is left of what was granted. Admins set quotas by UsageService. */
@Injectable()
export class Quotas {
  constructor(
    private readonly quotas: QuotaRepository,
    private readonly clock: Clock,
  ) {}

  /** The member's quota that is used up where a model is asked; null: none is. */
  async findSpent(tx: Transaction, memberId: string, asked: Asked): Promise<SpentQuota | null> {
    const now = this.clock.now();
    const standings = await this.quotas.listStanding(tx, memberId, asked, dayOf(now));
    return findSpent(standings, now);
  }

  /** Rejects with QuotaSpent instead, in words of `language`, BCP 47; left out: in English. */
  async refuseSpent(tx: Transaction, memberId: string, asked: Asked, language?: string): Promise<void> {
    const spent = await this.findSpent(tx, memberId, asked);
    if (spent) throw new QuotaSpent(spent, language);
  }

  /** Whether anybody of the company has one. */
  exist(tx: Transaction): Promise<boolean> {
    return this.quotas.exists(tx);
  }
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** A quota that is used up. */
export interface SpentQuota {
  /** Whose it is. */
  of: 'company' | 'member';
  period: QuotaPeriod;
  /** Whose models alone it is for: a provider's key, or INSTALLATION; empty: whatever model is asked. */
  provider: string;
  resetsAt: Date;
}

/** Its message is for people, in the language of the assistant that was asked, BCP 47. */
export class QuotaSpent extends Error {
  override readonly name = 'QuotaSpent';

  constructor(
    readonly quota: SpentQuota,
    language = 'en',
  ) {
    super(spentIn(quota, language));
  }
}

function spentIn({ of, period, provider }: SpentQuota, language: string): string {
  const { spentQuota: said } = wordingIn(language);
  const named = provider === INSTALLATION ? said.atInstallation : fill(said.atProvider, { provider });
  return fill(said[of][period], { where: provider === '' ? '' : named });
}

/**
 * The used-up quota of one member that resets last; null: none is used up. A quota for each member applies only where
 * the member has none of their own for the same period and provider.
 */
export function findSpent(standings: readonly QuotaStanding[], now: Date): SpentQuota | null {
  const own = standings.filter(({ subject }) => isMember(subject));
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

function isMember(subject: string): boolean {
  return subject !== 'COMPANY' && subject !== 'EACH_MEMBER';
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
