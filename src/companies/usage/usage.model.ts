import { Field, Float, InputType, Int, ObjectType, OmitType } from '@nestjs/graphql';

import { enumType, Nullable, ID, LocalDate, SafeInt } from '../../common/schema/fields.js';
import type { QuotaPeriod as QuotaPeriodName, QuotaSubject as QuotaSubjectName } from './quota.repository.js';
import type { UsageGroup as UsageGroupName } from './usage.entity.js';

export const UsageGroup = enumType<UsageGroupName>('UsageGroup', 'How usage is grouped.', {
  DAY: 'By day, UTC.',
  MEMBER: 'By the member who asked.',
  ASSISTANT: 'By assistant.',
  MODEL: 'By model.',
});

const QuotaSubject = enumType<QuotaSubjectName>('QuotaSubject', 'Who a quota applies to.', {
  COMPANY: 'All members together.',
  EACH_MEMBER: 'Each member separately, unless they have a quota of their own.',
  MEMBER: 'One member.',
});

const QuotaPeriod = enumType<QuotaPeriodName>(
  'QuotaPeriod',
  'The period of a quota. Days and months are in UTC.',
  {
    DAY: 'One day.',
    MONTH: 'One calendar month.',
  },
);

@ObjectType('UsageRow', { description: 'The total usage of a group of model calls.' })
export class UsageRowModel {
  @Nullable(() => LocalDate, 'Null unless grouped by day.')
  day!: string | null;

  @Nullable(() => ID, 'Null unless grouped by member.')
  memberId!: string | null;

  @Nullable(() => String, 'Null unless grouped by assistant.')
  assistantKey!: string | null;

  @Nullable(() => String, 'Null unless grouped by model.')
  model!: string | null;

  @Field(() => Int, { description: 'How many calls there were.' })
  modelCalls!: number;

  @Field(() => Int, { description: 'Calls with estimated tokens, because the provider did not count them.' })
  estimatedCalls!: number;

  @Field(() => Int, { description: 'Calls to models without a price. The cost does not include them.' })
  unpricedCalls!: number;

  @Field(() => SafeInt, { description: 'The number of input tokens.' })
  inputTokens!: number;

  @Field(() => SafeInt, { description: 'The number of output tokens, including reasoning.' })
  outputTokens!: number;

  @Field(() => SafeInt, { description: 'The input tokens that the provider had cached.' })
  cachedInputTokens!: number;

  @Field(() => Float, { description: 'In US dollars, by the price table.' })
  costUsd!: number;
}

@ObjectType('Quota', { description: 'A limit on usage. A question beyond it is refused with QuotaExceeded.' })
export class QuotaModel {
  @Field(() => QuotaSubject, { description: 'Who it applies to.' })
  subject!: QuotaSubjectName;

  @Nullable(() => ID, 'Null unless it applies to one member.')
  memberId!: string | null;

  @Field(() => QuotaPeriod, { description: 'The period of the limit.' })
  period!: QuotaPeriodName;

  @Nullable(
    () => String,
    'The only provider that the quota counts: its key, or INSTALLATION for the installation’s own provider including its fallback. Null: all models. It is checked before each call to that provider. If it is used up, no other provider takes over. Deleting the provider removes the quota.',
  )
  provider!: string | null;

  @Nullable(() => SafeInt, 'Input and output tokens together. Null: no token limit.')
  maxTokens!: number | null;

  @Nullable(() => Float, 'In US dollars. Null: no cost limit.')
  maxCostUsd!: number | null;
}

@InputType({ description: 'A quota. Without any limit, it is removed.' })
export class SetQuotaInput extends OmitType(QuotaModel, ['memberId'], InputType) {
  @Nullable(() => ID, 'The member. Only for the subject MEMBER.')
  memberId?: string | null;
}
