import { Field, Float, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';

import { ID, LocalDate, SafeInt } from '../../common/schema/scalars.js';
import type { QuotaPeriod as QuotaPeriodName } from './quota.entity.js';
import type { UsageGroup as UsageGroupName, UsageRow } from './usage.repository.js';
import type { QuotaSubject as QuotaSubjectName } from './usage.service.js';

export const UsageGroup = {
  DAY: 'DAY',
  MEMBER: 'MEMBER',
  ASSISTANT: 'ASSISTANT',
  MODEL: 'MODEL',
} as const satisfies Record<UsageGroupName, UsageGroupName>;

registerEnumType(UsageGroup, {
  name: 'UsageGroup',
  description: 'What usage is added up by.',
  valuesMap: {
    DAY: { description: 'By day, UTC.' },
    MEMBER: { description: 'By the member who asked.' },
    ASSISTANT: { description: 'By the assistant that was asked.' },
    MODEL: { description: 'By the model that was called.' },
  },
});

const QuotaSubject = {
  COMPANY: 'COMPANY',
  EACH_MEMBER: 'EACH_MEMBER',
  MEMBER: 'MEMBER',
} as const satisfies Record<QuotaSubjectName, QuotaSubjectName>;

registerEnumType(QuotaSubject, {
  name: 'QuotaSubject',
  description: 'Whom a quota is for.',
  valuesMap: {
    COMPANY: { description: 'All members together.' },
    EACH_MEMBER: { description: 'Each member for themselves, unless they have a quota of their own.' },
    MEMBER: { description: 'One member.' },
  },
});

const QuotaPeriod = {
  DAY: 'DAY',
  MONTH: 'MONTH',
} as const satisfies Record<QuotaPeriodName, QuotaPeriodName>;

registerEnumType(QuotaPeriod, {
  name: 'QuotaPeriod',
  description: 'How long a quota has to last. Days and months are those of UTC.',
  valuesMap: { DAY: { description: 'One day.' }, MONTH: { description: 'One calendar month.' } },
});

@ObjectType('UsageRow', { description: 'What model calls used up together.' })
export class UsageRowModel implements UsageRow {
  @Field(() => LocalDate, { nullable: true, description: 'Null unless grouped by day.' })
  day!: string | null;

  @Field(() => ID, { nullable: true, description: 'Null unless grouped by member.' })
  memberId!: string | null;

  @Field(() => String, { nullable: true, description: 'Null unless grouped by assistant.' })
  assistantKey!: string | null;

  @Field(() => String, { nullable: true, description: 'Null unless grouped by model.' })
  model!: string | null;

  @Field(() => Int, { description: 'How many calls.' })
  modelCalls!: number;

  @Field(() => Int, { description: 'Calls whose tokens are estimated: the provider did not count them.' })
  estimatedCalls!: number;

  @Field(() => Int, { description: 'Calls of models without a price, which the cost is without.' })
  unpricedCalls!: number;

  @Field(() => SafeInt, { description: 'Tokens that were sent.' })
  inputTokens!: number;

  @Field(() => SafeInt, { description: 'Tokens that were answered, reasoning included.' })
  outputTokens!: number;

  @Field(() => SafeInt, { description: 'Of those sent, the ones that the provider had kept from before.' })
  cachedInputTokens!: number;

  @Field(() => Float, { description: 'By the price table, in US dollars.' })
  costUsd!: number;
}

@ObjectType('Quota', { description: 'What may be used up. A question beyond it is refused: QuotaExceeded.' })
export class QuotaModel {
  @Field(() => QuotaSubject, { description: 'Whom it is for.' })
  subject!: QuotaSubjectName;

  @Field(() => ID, { nullable: true, description: 'The member; null unless it is for one.' })
  memberId!: string | null;

  @Field(() => QuotaPeriod, { description: 'How long it has to last.' })
  period!: QuotaPeriodName;

  @Field(() => SafeInt, { nullable: true, description: 'Sent and answered; null: not limited by tokens.' })
  maxTokens!: number | null;

  @Field(() => Float, { nullable: true, description: 'In US dollars; null: not limited by cost.' })
  maxCostUsd!: number | null;
}

@InputType({ description: 'A quota. With neither limit it is lifted.' })
export class SetQuotaInput {
  @Field(() => QuotaSubject, { description: 'Whom it is for.' })
  subject!: QuotaSubjectName;

  @Field(() => ID, { nullable: true, description: 'The member, for the subject MEMBER.' })
  memberId?: string | null;

  @Field(() => QuotaPeriod, { description: 'How long it has to last.' })
  period!: QuotaPeriodName;

  @Field(() => SafeInt, { nullable: true, description: 'Sent and answered; null: not limited by tokens.' })
  maxTokens?: number | null;

  @Field(() => Float, { nullable: true, description: 'In US dollars; null: not limited by cost.' })
  maxCostUsd?: number | null;
}
