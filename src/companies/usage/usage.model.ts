import { Field, Float, InputType, Int, ObjectType, OmitType } from '@nestjs/graphql';

import { enumType, Nullable, ID, LocalDate, SafeInt } from '../../common/schema/fields.js';
import type { QuotaPeriod as QuotaPeriodName, QuotaSubject as QuotaSubjectName } from './quota.repository.js';
import type { UsageGroup as UsageGroupName } from './usage.entity.js';

export const UsageGroup = enumType<UsageGroupName>('UsageGroup', 'What usage is added up by.', {
  DAY: 'By day, UTC.',
  MEMBER: 'By the member who asked.',
  ASSISTANT: 'By the assistant that was asked.',
  MODEL: 'By the model that was called.',
});

const QuotaSubject = enumType<QuotaSubjectName>('QuotaSubject', 'Whom a quota is for.', {
  COMPANY: 'All members together.',
  EACH_MEMBER: 'Each member for themselves, unless they have a quota of their own.',
  MEMBER: 'One member.',
});

const QuotaPeriod = enumType<QuotaPeriodName>(
  'QuotaPeriod',
  'How long a quota has to last. Days and months are those of UTC.',
  {
    DAY: 'One day.',
    MONTH: 'One calendar month.',
  },
);

@ObjectType('UsageRow', { description: 'What model calls used up together.' })
export class UsageRowModel {
  @Nullable(() => LocalDate, 'Null unless grouped by day.')
  day!: string | null;

  @Nullable(() => ID, 'Null unless grouped by member.')
  memberId!: string | null;

  @Nullable(() => String, 'Null unless grouped by assistant.')
  assistantKey!: string | null;

  @Nullable(() => String, 'Null unless grouped by model.')
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

  @Nullable(() => ID, 'The member; null unless it is for one.')
  memberId!: string | null;

  @Field(() => QuotaPeriod, { description: 'How long it has to last.' })
  period!: QuotaPeriodName;

  @Nullable(
    () => String,
    'The provider whose models alone it is for: its key, or INSTALLATION for the installation’s own, its fallback included; null: for whatever model is asked. It is checked before each call, for the provider that is asked; where it is used up, no other provider is asked instead. Lifted with the provider.',
  )
  provider!: string | null;

  @Nullable(() => SafeInt, 'Sent and answered; null: not limited by tokens.')
  maxTokens!: number | null;

  @Nullable(() => Float, 'In US dollars; null: not limited by cost.')
  maxCostUsd!: number | null;
}

@InputType({ description: 'A quota. With neither limit it is lifted.' })
export class SetQuotaInput extends OmitType(QuotaModel, ['memberId'], InputType) {
  @Nullable(() => ID, 'The member, for the subject MEMBER.')
  memberId?: string | null;
}
