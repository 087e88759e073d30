import { Field, Float, InputType, Int, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '@palabre/json';

import { enumType, Node, Nullable, DateTime, Json, ID } from '../common/schema/fields.js';
import {
  type ForeignTextPolicy as PolicyName,
  MAX_ATTRIBUTES_CHARACTERS,
  MAX_ATTRIBUTES_DEPTH,
  MAX_HEADCOUNT,
  MAX_POINT_CHARACTERS,
  MAX_POINTS,
} from './company-input.js';

const POINTS = `The complete list: at most ${MAX_POINTS} entries of 1 to ${MAX_POINT_CHARACTERS} characters. For none, an empty list, not null.`;

const ForeignTextPolicy = enumType<PolicyName>(
  'ForeignTextPolicy',
  'How to treat risky skill calls after a turn has read untrusted text (web pages, documents, answers of other systems), which could impersonate the asker. Risky are calls that change something, and calls to addresses that came neither from the user nor from a search. A decision made by setSkillApproval takes precedence.',
  {
    RUN: 'They run as in any other turn.',
    ASK: 'A person is asked before each call. The asker may answer.',
    REFUSE: 'They are refused, and the model is told.',
  },
);

@ObjectType({ description: 'An amount of money.' })
export class Money {
  @Field(() => Float, { description: 'In whole units of the currency.' })
  amount!: number;

  @Field(() => String, { description: 'ISO 4217, such as XOF.' })
  currency!: string;
}

@ObjectType({ description: 'What the company states about itself.' })
export class CompanyProfile {
  @Field(() => [String], { description: 'What the company already does for the environment.' })
  environmentalPractices!: string[];

  @Field(() => [String], { description: 'The goals that the company has set itself.' })
  declaredGoals!: string[];

  @Field(() => Json, { description: 'Other facts: a free-form JSON object.' })
  attributes!: JsonObject;
}

@ObjectType('Company', {
  implements: () => [Node],
  description: 'A tenant. Other companies see none of its data.',
})
export class CompanyModel extends Node {
  @Field(() => String, { description: 'The company’s name.' })
  name!: string;

  @Nullable(() => String, 'The industry. Null if unknown.')
  sector!: string | null;

  @Nullable(() => String, 'The country, ISO 3166-1 alpha-2. Null if unknown.')
  country!: string | null;

  @Nullable(() => String, 'The city. Null if unknown.')
  city!: string | null;

  @Nullable(() => Int, 'The number of employees. Null if unknown.')
  headcount!: number | null;

  @Field(() => String, { description: 'The company’s working language, BCP 47.' })
  language!: string;

  @Field(() => ForeignTextPolicy, {
    description: 'What assistants may do without asking after a turn has read untrusted text.',
  })
  foreignTextPolicy!: PolicyName;

  @Field(() => DateTime, { description: 'When it was created here.' })
  createdAt!: Date;
}

@InputType({ description: 'An amount of money.' })
class MoneyInput {
  @Field(() => Float, { description: 'In whole units of the currency: 0 to 10^18.' })
  amount!: number;

  @Field(() => String, { description: 'ISO 4217, such as XOF.' })
  currency!: string;
}

@InputType({ description: 'The changes. Omitted fields stay as they are. Each field says what null means.' })
export class UpdateCompanyInput {
  @Nullable(() => String, 'One line of 1 to 200 characters. Not null.')
  name?: string;

  @Nullable(() => String, 'One line of 1 to 200 characters. Null: unknown.')
  sector?: string | null;

  @Nullable(() => String, 'ISO 3166-1 alpha-2, such as SN. Null: unknown.')
  country?: string | null;

  @Nullable(() => String, 'One line of 1 to 200 characters. Null: unknown.')
  city?: string | null;

  @Nullable(() => Int, `0 to ${MAX_HEADCOUNT}. Null: unknown.`)
  headcount?: number | null;

  @Nullable(() => MoneyInput, 'The revenue of one year. Null: unknown.')
  revenue?: MoneyInput | null;

  @Nullable(() => [String], POINTS)
  environmentalPractices?: string[];

  @Nullable(() => [String], POINTS)
  declaredGoals?: string[];

  @Nullable(
    () => Json,
    `The complete object: at most ${MAX_ATTRIBUTES_CHARACTERS} characters of JSON, ${MAX_ATTRIBUTES_DEPTH} levels deep. For none, an empty object, not null.`,
  )
  attributes?: JsonObject;

  @Nullable(() => String, 'BCP 47, such as fr. Not null.')
  language?: string;

  @Nullable(() => ForeignTextPolicy, 'Takes effect with the next question. Not null.')
  foreignTextPolicy?: PolicyName;
}

@ObjectType('CompanyErasure', { description: 'The erasure of a company, finished or in progress.' })
export class CompanyErasureModel {
  @Field(() => ID, { description: 'The id of the company.' })
  id!: string;

  @Field(() => String, { description: 'The company’s name in tokens. No other company can use it.' })
  slug!: string;

  @Field(() => String, {
    description: 'Who requested it: the id of an operator’s member, or “command” for the terminal.',
  })
  requestedBy!: string;

  @Field(() => DateTime, { description: 'When access to the company was closed.' })
  requestedAt!: Date;

  @Nullable(() => DateTime, 'When the last of its data was gone. Null if some is left.')
  finishedAt!: Date | null;
}
