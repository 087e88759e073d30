import { Injectable } from '@nestjs/common';
import { z } from 'zod';

import { checkInput } from '../../common/check-input.js';
import { Clock, DAY_MS } from '../../common/clock.js';
import { badInput, notFound } from '../../common/errors/domain-error.js';
import { isId, NIL_ID } from '../../common/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { DomainEvents } from '../../platform/events/domain-events.js';
import { AuditService } from '../audit/audit.service.js';
import type { Viewer } from '../auth/viewer.js';
import { memberLeaving } from '../companies.events.js';
import { MemberData } from '../members/member-data.js';
import { MembersService } from '../members/members.service.js';
import { type Quota, quotaPeriods, type QuotaPeriod } from './quota.entity.js';
import type { UsageRowModel } from './usage.model.js';
import { QuotaRepository, type UsageGroup, UsageRepository, type QuotaStanding } from './usage.repository.js';

const MAX_DAYS = 366;
export const MAX_ROWS = 5_000;
/** PostgreSQL has no year 0, which JavaScript has. */
const FIRST_DAY = '0001-01-01';

/** Whom a quota is for. */
const quotaSubjects = ['COMPANY', 'EACH_MEMBER', 'MEMBER'] as const;
export type QuotaSubject = (typeof quotaSubjects)[number];

function numberUpTo(limit: number) {
  return z
    .number('This must be a number.')
    .min(0, 'This must not be negative.')
    .max(limit, 'This is too large.');
}

const SetQuota = z.object({
  subject: z.enum(quotaSubjects),
  memberId: z.string().nullish(),
  period: z.enum(quotaPeriods),
  maxTokens: numberUpTo(1e15).int('This must be a whole number.').nullish(),
  maxCostUsd: numberUpTo(1e9).nullish(),
});

@Injectable()
export class UsageService {
  constructor(
    private readonly database: Database,
    private readonly usage: UsageRepository,
    private readonly quotas: QuotaRepository,
    private readonly members: MembersService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
    data: MemberData,
    events: DomainEvents,
  ) {
    data.onExport('usage', async (tx, memberId, after) => {
      const { days, next } = await usage.listDays(tx, memberId, after);
      return { items: days, next };
    });
    // It stays the company's, without the id of who is erased.
    events.on(memberLeaving, (tx, memberId) => usage.reassign(tx, memberId, NIL_ID));
  }

  /** The member's quota that is used up; null: none is. */
  async findSpent(tx: Transaction, memberId: string): Promise<SpentQuota | null> {
    const now = this.clock.now();
    const standings = await this.quotas.listStanding(tx, memberId, dayOf(now));
    return findSpent(standings, now);
  }

  /** Rejects with QuotaSpent when a quota of the member is used up. */
  async refuseSpent(tx: Transaction, memberId: string): Promise<void> {
    const spent = await this.findSpent(tx, memberId);
    if (spent) throw new QuotaSpent(spent);
  }

  hasQuotas(tx: Transaction): Promise<boolean> {
    return this.quotas.exists(tx);
  }

  /** The usage from day `from` to day `to`, both included, such as `2026-01-31`. Rejects with BAD_USER_INPUT. */
  async list(
    viewer: Viewer,
    { from, to, groups }: { from: string; to: string; groups: readonly UsageGroup[] },
  ): Promise<UsageRowModel[]> {
    if (from < FIRST_DAY) throw badInput(['from'], 'This is before the year 1.');
    const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
    if (days < 0) throw badInput(['to'], 'This must not be before the first day.');
    if (days > MAX_DAYS) throw badInput(['to'], `This must be at most ${MAX_DAYS} days after the first.`);
    const request = { from, to, groups: [...new Set(groups)], limit: MAX_ROWS + 1 };
    const rows = await this.database.read(viewer.companyId, (tx) => this.usage.list(tx, request));
    if (rows.length > MAX_ROWS) {
      throw badInput(
        ['to'],
        `The result has more than ${MAX_ROWS} rows: ask for fewer days, or group by less.`,
      );
    }
    return rows;
  }

  listQuotas(viewer: Viewer): Promise<Quota[]> {
    return this.database.read(viewer.companyId, (tx) => this.quotas.listFirst(tx, MAX_ROWS));
  }

  /** Sets a quota, or removes it when there is no limit. Gives all quotas. Rejects with BAD_USER_INPUT or NOT_FOUND. */
  setQuota(viewer: Viewer, input: unknown): Promise<Quota[]> {
    const { subject, memberId, period, maxTokens, maxCostUsd } = checkInput(SetQuota, input);
    const isOfMember = typeof memberId === 'string';
    if ((subject === 'MEMBER') !== isOfMember) {
      throw badInput(['input', 'memberId'], 'Give a member’s id for the subject MEMBER, and for no other.');
    }
    return this.database.transaction(viewer.companyId, async (tx) => {
      if (isOfMember && !isId(memberId)) throw notFound('member');
      if (isOfMember) await this.members.get(tx, memberId);
      const key = { subject: memberId ?? subject, period };
      const limits = { maxTokens: maxTokens?.toString() ?? null, maxCostUsd: maxCostUsd ?? null };
      const before = (await this.quotas.lock(tx, key, 'FOR UPDATE')) ?? { maxTokens: null, maxCostUsd: null };
      if (limits.maxTokens === null && limits.maxCostUsd === null) await this.quotas.delete(tx, key);
      else await this.quotas.put(tx, { ...key, ...limits });
      await this.audit.recordChange(tx, viewer.id, 'quota.set', `${key.subject}/${period}`, limits, before);
      return this.quotas.listFirst(tx, MAX_ROWS);
    });
  }
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** A quota that is used up. */
export interface SpentQuota {
  /** For people. */
  message: string;
  resetsAt: Date;
}

export class QuotaSpent extends Error {
  override readonly name = 'QuotaSpent';

  constructor(readonly quota: SpentQuota) {
    super(quota.message);
  }
}

/**
 * The used-up quota of one member that resets last; null: none is used up. A quota for each member applies only where
 * the member has none of their own for the period.
 */
export function findSpent(standings: readonly QuotaStanding[], now: Date): SpentQuota | null {
  const own = new Set(standings.filter(({ subject }) => isMember(subject)).map(({ period }) => period));
  const spent = standings
    .filter(({ subject, period }) => subject !== 'EACH_MEMBER' || !own.has(period))
    .filter(isSpent)
    // The last reset comes first.
    .toSorted((a, b) => resetOf(b.period, now).getTime() - resetOf(a.period, now).getTime());
  const [last] = spent;
  if (!last) return null;
  const whose = last.subject === 'COMPANY' ? 'Your company has' : 'You have';
  const period = last.period === 'DAY' ? 'today' : 'this month';
  return {
    message: `${whose} used up what was granted for ${period}. An admin can raise the quota.`,
    resetsAt: resetOf(last.period, now),
  };
}

function isMember(subject: string): boolean {
  return subject !== 'COMPANY' && subject !== 'EACH_MEMBER';
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
