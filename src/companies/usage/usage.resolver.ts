import { Args, Mutation, Query, Resolver, Parent, ResolveField } from '@nestjs/graphql';

import { listCost } from '../../common/schema/cost.js';
import { LocalDate } from '../../common/schema/fields.js';
import { AtLeast, CurrentViewer, OperationLoaders } from '../auth/viewer-decorators.js';
import type { Loaders } from '../auth/graphql-context.js';
import type { Viewer } from '../auth/viewer.js';
import type { Member } from '../members/member.repository.js';
import { MemberModel } from '../members/member.model.js';
import { MembersService } from '../members/members.service.js';
import type { Quota } from './quota.repository.js';
import { QuotaModel, SetQuotaInput, UsageGroup, UsageRowModel } from './usage.model.js';
import type { UsageGroup as UsageGroupName } from './usage.entity.js';
import { MAX_DAYS, MAX_ROWS, UsageService } from './usage.service.js';

/** For the cost of a query: a company, and some of its members. */
const EXPECTED_QUOTAS = 500;
/** The days of a year and a bit. There are fewer assistants or models. */
const ROWS_OF_ONE_GROUP = 400;

/** How many rows to expect: many only when grouped by member or by several groups. */
function estimateRows(groups: readonly UsageGroupName[]): number {
  if (groups.length === 0) return 1;
  return groups.length === 1 && !groups.includes('MEMBER') ? ROWS_OF_ONE_GROUP : MAX_ROWS;
}

@Resolver()
export class UsageResolver {
  constructor(private readonly service: UsageService) {}

  @AtLeast('ADMIN')
  @Query(() => [UsageRowModel], {
    name: 'usage',
    complexity: ({ args, childComplexity }) => listCost(estimateRows(args.groupBy))({ childComplexity }),
    description: 'The usage of the company’s model calls, by default per day. Admins only.',
  })
  list(
    @CurrentViewer() viewer: Viewer,
    @Args('from', { type: () => LocalDate, description: 'The first day, UTC.' }) from: string,
    @Args('to', { type: () => LocalDate, description: `The last day, UTC: at most ${MAX_DAYS} days later.` })
    to: string,
    @Args('groupBy', {
      type: () => [UsageGroup],
      defaultValue: ['DAY'],
      description: `How to group the rows. Empty: one row for everything, or none if there were no calls. At most ${MAX_ROWS} rows.`,
    })
    groups: UsageGroupName[],
  ): Promise<UsageRowModel[]> {
    return this.service.list(viewer, { from, to, groups });
  }

  @AtLeast('ADMIN')
  @Query(() => [QuotaModel], {
    complexity: listCost(EXPECTED_QUOTAS),
    description: `The company’s quotas, at most ${MAX_ROWS}. Admins only.`,
  })
  async quotas(@CurrentViewer() viewer: Viewer): Promise<QuotaModel[]> {
    return (await this.service.listQuotas(viewer)).map(toQuotaModel);
  }

  @AtLeast('ADMIN')
  @Mutation(() => [QuotaModel], {
    complexity: listCost(EXPECTED_QUOTAS),
    description: 'Sets or removes a quota, and returns all quotas. Admins only. Audited.',
  })
  async setQuota(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The quota.' }) input: SetQuotaInput,
  ): Promise<QuotaModel[]> {
    return (await this.service.setQuota(viewer, input)).map(toQuotaModel);
  }
}

function toQuotaModel({ subject, period, provider, maxTokens, maxCostUsd }: Quota): QuotaModel {
  const whole = subject === 'COMPANY' || subject === 'EACH_MEMBER';
  return {
    subject: whole ? subject : 'MEMBER',
    memberId: whole ? null : subject,
    period,
    provider: provider || null,
    maxTokens: maxTokens === null ? null : Number(maxTokens),
    maxCostUsd,
  };
}

const shown = {
  nullable: true,
  description: 'The member of memberId. Null if memberId is, or if they are gone.',
};

@Resolver(() => UsageRowModel)
export class UsageRowMemberResolver {
  constructor(private readonly members: MembersService) {}

  @ResolveField(() => MemberModel, shown)
  member(
    @OperationLoaders() loaders: Loaders,
    @Parent() { memberId }: UsageRowModel,
  ): Promise<Member | null> | null {
    return memberId === null ? null : loaders.one(this.members, this.members.findMany, memberId);
  }
}

@Resolver(() => QuotaModel)
export class QuotaMemberResolver {
  constructor(private readonly members: MembersService) {}

  @ResolveField(() => MemberModel, shown)
  member(
    @OperationLoaders() loaders: Loaders,
    @Parent() { memberId }: QuotaModel,
  ): Promise<Member | null> | null {
    return memberId === null ? null : loaders.one(this.members, this.members.findMany, memberId);
  }
}
