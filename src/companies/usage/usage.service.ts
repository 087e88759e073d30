import { Injectable } from '@nestjs/common';
import { z } from 'zod';

import { checkInput } from '../../common/check-input.js';
import { DAY_MS } from '../../common/clock.js';
import { badInput } from '../../common/errors/domain-error.js';
import { NIL_ID } from '../../common/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { DomainEvents } from '../../platform/events/domain-events.js';
import { AuditService } from '../audit/audit.service.js';
import type { Viewer } from '../auth/viewer.js';
import { memberLeaving, providerLeaving } from '../companies.events.js';
import { MemberData } from '../members/member-data.js';
import { MembersService } from '../members/members.service.js';
import { CompanyProviders } from '../providers/company-providers.service.js';
import {
  INSTALLATION,
  type Quota,
  quotaPeriods,
  quotaSubjects,
  QuotaRepository,
} from './quota.repository.js';
import type { UsageGroup } from './usage.entity.js';
import type { UsageRowModel } from './usage.model.js';
import { UsageRepository } from './usage.repository.js';

export const MAX_DAYS = 366;
export const MAX_ROWS = 5_000;
/** PostgreSQL has no year 0, which JavaScript has. */
const FIRST_DAY = '0001-01-01';

function numberUpTo(limit: number) {
  return z
    .number('This must be a number.')
    .min(0, 'This must not be negative.')
    .max(limit, `This must be at most ${limit}.`);
}

const SetQuota = z.object({
  subject: z.enum(quotaSubjects),
  memberId: z.string().nullish(),
  period: z.enum(quotaPeriods),
  provider: z.string().nullish(),
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
    private readonly providers: CompanyProviders,
    private readonly audit: AuditService,
    data: MemberData,
    events: DomainEvents,
  ) {
    data.onExport('usage', async (tx, memberId, after) => {
      const { days, next } = await usage.listDays(tx, memberId, after);
      return { items: days, next };
    });
    // The company keeps the usage, without the erased member's id.
    events.on(memberLeaving, (tx, memberId) => usage.reassign(tx, memberId, NIL_ID));
    events.on(providerLeaving, async (tx, provider) => void (await quotas.delete(tx, { provider })));
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
    const { subject, memberId, period, provider = null, maxTokens, maxCostUsd } = checkInput(SetQuota, input);
    const isOfMember = typeof memberId === 'string';
    if ((subject === 'MEMBER') !== isOfMember)
      throw badInput(['input', 'memberId'], 'Give a member’s id for the subject MEMBER, and for no other.');
    return this.database.transaction(viewer.companyId, async (tx) => {
      if (isOfMember) await this.members.get(tx, memberId, ['input', 'memberId']);
      if (provider !== null) await this.requireProvider(tx, provider);
      const key = { subject: memberId ?? subject, period, provider: provider ?? '' };
      const limits = { maxTokens: maxTokens?.toString() ?? null, maxCostUsd: maxCostUsd ?? null };
      const before = (await this.quotas.lock(tx, key, 'FOR UPDATE')) ?? { maxTokens: null, maxCostUsd: null };
      if (limits.maxTokens === null && limits.maxCostUsd === null) await this.quotas.delete(tx, key);
      else await this.quotas.put(tx, { ...key, ...limits });
      const name = [key.subject, period, ...(provider === null ? [] : [provider])].join('/');
      await this.audit.recordChange(tx, viewer.id, 'quota.set', name, limits, before);
      return this.quotas.listFirst(tx, MAX_ROWS);
    });
  }

  private async requireProvider(tx: Transaction, key: string): Promise<void> {
    if (key === INSTALLATION || (await this.providers.keep(tx, key))) return;
    throw badInput(['input', 'provider'], `Give the key of a provider of the company’s, or ${INSTALLATION}.`);
  }
}
