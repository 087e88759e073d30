import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';

import { CurrentViewer } from '../auth/current-viewer.decorator.js';
import type { Viewer } from '../auth/viewer.js';
import { AtLeast } from '../auth/viewer.guard.js';
import { listCost } from '../common/schema/cost.js';
import { LocalDate } from '../common/schema/scalars.js';
import type { Quota } from './quota.entity.js';
import type { UsageGroup as UsageGroupName, UsageRow } from './usage.js';
import { QuotaModel, SetQuotaInput, UsageGroup, UsageRowModel } from './usage.model.js';
import { MOST_ROWS, UsageService } from './usage.service.js';

/** A company, and some of its members. */
const USUAL_QUOTAS = 500;
/** Days of a year and a bit; there are fewer assistants, models or purposes. */
const ROWS_OF_ONE_GROUP = 400;

/** How many rows `usage` gives, which only members and several groups together make many. */
const usualRows = (groups: readonly UsageGroupName[]): number => {
  if (groups.length === 0) return 1;
  return groups.length === 1 && !groups.includes('MEMBER') ? ROWS_OF_ONE_GROUP : MOST_ROWS;
};

@Resolver()
export class UsageResolver {
  constructor(private readonly service: UsageService) {}

  @AtLeast('ADMIN')
  @Query(() => [UsageRowModel], {
    name: 'usage',
    complexity: ({ args, childComplexity }) => listCost(usualRows(args.groupBy))({ childComplexity }),
    description: 'What the company’s model calls used up, by day unless said otherwise. For admins.',
  })
  list(
    @CurrentViewer() viewer: Viewer,
    @Args('from', { type: () => LocalDate, description: 'The first day, UTC.' }) from: string,
    @Args('to', { type: () => LocalDate, description: 'The last day, at most 366 days later.' }) to: string,
    @Args('groupBy', {
      type: () => [UsageGroup],
      defaultValue: ['DAY'],
      description: 'What it is added up by; empty: all in one row. At most 5,000 rows.',
    })
    groups: UsageGroupName[],
  ): Promise<UsageRow[]> {
    return this.service.list(viewer, { from, to, groups });
  }

  @AtLeast('ADMIN')
  @Query(() => [QuotaModel], {
    complexity: listCost(USUAL_QUOTAS),
    description: 'The company’s quotas, at most 5,000. For admins.',
  })
  async quotas(@CurrentViewer() viewer: Viewer): Promise<QuotaModel[]> {
    return (await this.service.listQuotas(viewer)).map(modelOf);
  }

  @AtLeast('ADMIN')
  @Mutation(() => [QuotaModel], {
    complexity: listCost(USUAL_QUOTAS),
    description: 'Grants or lifts a quota, and gives all there are. For admins; audited.',
  })
  async setQuota(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The quota.' }) input: SetQuotaInput,
  ): Promise<QuotaModel[]> {
    return (await this.service.setQuota(viewer, input)).map(modelOf);
  }
}

const modelOf = ({ subject, period, maxTokens, maxCostUsd }: Quota): QuotaModel => {
  const whole = subject === 'COMPANY' || subject === 'EACH_MEMBER';
  return {
    subject: whole ? subject : 'MEMBER',
    memberId: whole ? null : subject,
    period,
    maxTokens: maxTokens === null ? null : Number(maxTokens),
    maxCostUsd,
  };
};
