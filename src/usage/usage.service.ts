import { Injectable } from '@nestjs/common';
import { z } from 'zod';

import type { Viewer } from '../auth/viewer.js';
import { checkInput } from '../common/check-input.js';
import { Clock, DAY_MS } from '../common/clock.js';
import { badInput, notFound } from '../common/errors/domain-error.js';
import { isId } from '../common/ids.js';
import { AuditService } from '../companies/audit/audit.service.js';
import { MembersService } from '../companies/members/members.service.js';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { type Quota, quotaPeriods } from './quota.entity.js';
import { QuotaRepository } from './quota.repository.js';
import { findSpent, QuotaSpent, type SpentQuota } from './spent-quota.js';
import type { UsageGroup, UsageRow } from './usage.js';
import { UsageRepository } from './usage.repository.js';

const MOST_DAYS = 366;
export const MOST_ROWS = 5_000;
/** PostgreSQL has no year 0, which JavaScript has. */
const FIRST_DAY = '0001-01-01';

/** Whom a quota is for. */
export const quotaSubjects = ['COMPANY', 'EACH_MEMBER', 'MEMBER'] as const;
export type QuotaSubject = (typeof quotaSubjects)[number];

const most = (limit: number) =>
  z.number('This must be a number.').min(0, 'This must not be negative.').max(limit, 'This is too large.');

const SetQuota = z.object({
  subject: z.enum(quotaSubjects),
  memberId: z.string().nullish(),
  period: z.enum(quotaPeriods),
  maxTokens: most(1e15).int('This must be a whole number.').nullish(),
  maxCostUsd: most(1e9).nullish(),
});

/** What is used up, and what may be. */
@Injectable()
export class UsageService {
  constructor(
    private readonly database: Database,
    private readonly usage: UsageRepository,
    private readonly quotas: QuotaRepository,
    private readonly members: MembersService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** What of the member's quotas is used up; null: there is something left of all. */
  async findSpent(tx: Transaction, memberId: string): Promise<SpentQuota | null> {
    const now = this.clock.now();
    const standings = await this.quotas.listStanding(tx, memberId, dayOf(now));
    return findSpent(standings, now);
  }

  /** Rejects with QuotaSpent when something of the member's quotas is used up. */
  async refuseSpent(tx: Transaction, memberId: string): Promise<void> {
    const spent = await this.findSpent(tx, memberId);
    if (spent) throw new QuotaSpent(spent);
  }

  /** Whether anything is granted in the company at all, so that there is something to be used up. */
  hasQuotas(tx: Transaction): Promise<boolean> {
    return this.quotas.exists(tx);
  }

  /** Of the viewer's company, the days from `from` to `to`, `2026-01-31`, both included. Rejects with BAD_USER_INPUT. */
  async list(
    viewer: Viewer,
    { from, to, groups }: { from: string; to: string; groups: readonly UsageGroup[] },
  ): Promise<UsageRow[]> {
    if (from < FIRST_DAY) throw badInput(['from'], 'This is before the year 1.');
    const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
    if (days < 0) throw badInput(['to'], 'This must not be before the first day.');
    if (days > MOST_DAYS) throw badInput(['to'], `This must be at most ${MOST_DAYS} days after the first.`);
    const request = { from, to, groups: [...new Set(groups)], limit: MOST_ROWS + 1 };
    const rows = await this.database.read(viewer.companyId, (tx) => this.usage.list(tx, request));
    if (rows.length > MOST_ROWS) {
      throw badInput(['to'], `This is more than ${MOST_ROWS} rows: ask for fewer days, or group by less.`);
    }
    return rows;
  }

  listQuotas(viewer: Viewer): Promise<Quota[]> {
    return this.database.read(viewer.companyId, (tx) => this.quotas.list(tx, MOST_ROWS));
  }

  /** Grants, or with neither limit lifts a quota. Gives all there are. Rejects with BAD_USER_INPUT or NOT_FOUND. */
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
      const before = (await this.quotas.lock(tx, key)) ?? { maxTokens: null, maxCostUsd: null };
      if (limits.maxTokens === null && limits.maxCostUsd === null) await this.quotas.remove(tx, key);
      else await this.quotas.put(tx, { ...key, ...limits });
      await this.audit.recordChange(tx, viewer.id, 'quota.set', `${key.subject}/${period}`, limits, before);
      return this.quotas.list(tx, MOST_ROWS);
    });
  }
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
