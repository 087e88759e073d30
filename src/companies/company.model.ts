import { Field, Float, InputType, Int, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '@palabre/json';

import { enumType, Node, Nullable, DateTime, Json, ID } from '../common/schema/fields.js';
import { MAX_HEADCOUNT, type ForeignTextPolicy as PolicyName } from './company-input.js';

const ForeignTextPolicy = enumType<PolicyName>(
  'ForeignTextPolicy',
  'What becomes of skill calls in a turn that has read texts of strangers (pages, documents, what other systems ' +
    'answer), where these could speak in the asker’s name: calls that change something, and of addresses that neither ' +
    'the user nor a search gave. What an admin has decided of a skill by setSkillApproval comes first.',
  {
    RUN: 'They are carried out as in any other turn.',
    ASK: 'A person is asked before each of them; whoever asked the question may answer.',
    REFUSE: 'They are not carried out, and the model is told so.',
  },
);

@ObjectType({ description: 'An amount of money.' })
export class Money {
  @Field(() => Float, { description: 'In whole units of the currency.' })
  amount!: number;

  @Field(() => String, { description: 'ISO 4217, such as XOF.' })
  currency!: string;
}

@ObjectType({ description: 'What the company has said of itself.' })
export class CompanyProfile {
  @Field(() => [String], { description: 'What it already does for the environment.' })
  environmentalPractices!: string[];

  @Field(() => [String], { description: 'What it has set itself to reach.' })
  declaredGoals!: string[];

  @Field(() => Json, { description: 'Further facts, free in form: a JSON object.' })
  attributes!: JsonObject;
}

@ObjectType('Company', {
  implements: () => [Node],
  description: 'A tenant. Nothing of it is seen by another.',
})
export class CompanyModel extends Node {
  @Field(() => String, { description: 'The company’s name.' })
  name!: string;

  @Nullable(() => String, 'What it works in; null while not known.')
  sector!: string | null;

  @Nullable(() => String, 'ISO 3166-1 alpha-2; null while not known.')
  country!: string | null;

  @Nullable(() => String, 'Null while not known.')
  city!: string | null;

  @Nullable(() => Int, 'How many people work there; null while not known.')
  headcount!: number | null;

  @Field(() => String, { description: 'The language it works in, BCP 47.' })
  language!: string;

  @Field(() => ForeignTextPolicy, {
    description: 'What its assistants may do unasked once a turn has read texts of strangers.',
  })
  foreignTextPolicy!: PolicyName;

  @Field(() => DateTime, { description: 'When it was made here.' })
  createdAt!: Date;
}

@InputType({ description: 'An amount of money.' })
class MoneyInput {
  @Field(() => Float, { description: 'In whole units of the currency: 0 to 10^18.' })
  amount!: number;

  @Field(() => String, { description: 'ISO 4217, such as XOF.' })
  currency!: string;
}

@InputType({ description: 'What to change. Left out: as it was. What null means, each field says.' })
export class UpdateCompanyInput {
  @Nullable(() => String, 'One line of 1 to 200 characters; not null.')
  name?: string;

  @Nullable(() => String, 'One line of 1 to 200 characters; null: no longer known.')
  sector?: string | null;

  @Nullable(() => String, 'ISO 3166-1 alpha-2, such as SN; null: no longer known.')
  country?: string | null;

  @Nullable(() => String, 'One line of 1 to 200 characters; null: no longer known.')
  city?: string | null;

  @Nullable(() => Int, `0 to ${MAX_HEADCOUNT}; null: no longer known.`)
  headcount?: number | null;

  @Nullable(() => MoneyInput, 'Of one year; null: no longer known.')
  revenue?: MoneyInput | null;

  @Nullable(
    () => [String],
    'The whole list: at most 100, each of 1 to 500 characters; empty and not null for none.',
  )
  environmentalPractices?: string[];

  @Nullable(
    () => [String],
    'The whole list: at most 100, each of 1 to 500 characters; empty and not null for none.',
  )
  declaredGoals?: string[];

  @Nullable(
    () => Json,
    'The whole object: at most 20,000 characters of JSON, 20 levels deep; empty and not null for none.',
  )
  attributes?: JsonObject;

  @Nullable(() => String, 'BCP 47, such as fr; not null.')
  language?: string;

  @Nullable(() => ForeignTextPolicy, 'In force from the next question on; not null.')
  foreignTextPolicy?: PolicyName;
}

@ObjectType('CompanyErasure', { description: 'That a company was erased, or is being erased.' })
export class CompanyErasureModel {
  @Field(() => ID, { description: 'The company’s id.' })
  id!: string;

  @Field(() => String, { description: 'What tokens called it by. No other company gets it.' })
  slug!: string;

  @Field(() => String, {
    description: 'Who had it erased: the id of an operator’s member, or “command” for the terminal.',
  })
  requestedBy!: string;

  @Field(() => DateTime, { description: 'Since when nobody comes in any more.' })
  requestedAt!: Date;

  @Nullable(() => DateTime, 'Since when nothing of it is left; null: something is.')
  finishedAt!: Date | null;
}
