import { Field, Float, InputType, Int, ObjectType } from '@nestjs/graphql';
import type { ModelPrice as Price, ReasoningEffort as Effort, WindowSource } from '@palabre/llm-client';

import { enumType, Node, Nullable, DateTime } from '../../common/schema/fields.js';
import { ReasoningEffort } from '../assistants/reasoning-effort.model.js';
import type { ProviderApi } from './provider.entity.js';

const Api = enumType<ProviderApi>(
  'ProviderApi',
  'The protocol in which the models of a provider are asked.',
  {
    AUTO: 'By what is known of the provider and its models, and by what it refuses.',
    CHAT: 'Chat completions, which nearly all providers have.',
    RESPONSES: 'The Responses API, in which OpenAI’s models think beside their tools.',
  },
);

const Source = enumType<WindowSource>('ContextWindowSource', 'How it is known how much a model takes.', {
  SET: 'The operator has set it.',
  KNOWN: 'By the name of the model, from the table that ships.',
  TOLD: 'The provider tells it in its list of models.',
  ASSUMED: 'Nobody tells: the usual is taken for granted.',
});

@ObjectType({ description: 'What a model costs, in USD for a million tokens.' })
class ModelPrice {
  @Field(() => Float, { description: 'Of input.' })
  input!: number;

  @Field(() => Float, { description: 'Of input that the provider had in its cache.' })
  cachedInput!: number;

  @Field(() => Float, { description: 'Of output, with what it thinks.' })
  output!: number;
}

@ObjectType('OfferedModel', { description: 'A model of a company’s provider, as far as it is known.' })
export class OfferedModelModel {
  @Field(() => String, { description: 'What the provider calls it.' })
  name!: string;

  @Field(() => Int, { description: 'Tokens of prompt and answer together.' })
  contextWindow!: number;

  @Field(() => Source, { name: 'contextWindowSource', description: 'How that is known.' })
  windowSource!: WindowSource;

  @Field(() => Int, {
    name: 'maxOutputTokens',
    nullable: true,
    description: 'Tokens of an answer at most; null: not known.',
  })
  maxOutput!: number | null;

  @Field(() => Boolean, {
    name: 'seesImages',
    nullable: true,
    description: 'Whether it sees images; null: not known.',
  })
  images!: boolean | null;

  @Nullable(() => Boolean, 'Whether it thinks before it speaks; null: not known.')
  reasons!: boolean | null;

  @Field(() => [ReasoningEffort], {
    name: 'reasoningEfforts',
    nullable: true,
    description: 'How much it can be told to think, from least to most; null: not known.',
  })
  efforts!: readonly Effort[] | null;

  @Field(() => Boolean, {
    name: 'structuredOutput',
    nullable: true,
    description: 'Whether its answers can be made to keep to a schema; null: not known.',
  })
  structured!: boolean | null;

  @Nullable(() => ModelPrice, 'What it costs; null: not known, and counted as no cost.')
  price!: Price | null;
}

@ObjectType('Provider', {
  implements: () => [Node],
  description: 'A provider of models that the company has brought, besides the installation’s own.',
})
export class ProviderModel extends Node {
  @Field(() => String, { description: 'Assistants name its models by it: key/model.' })
  key!: string;

  @Field(() => String, { description: 'Its address, with the version.' })
  baseUrl!: string;

  @Field(() => Api, { description: 'The protocol in which its models are asked.' })
  api!: ProviderApi;

  @Field(() => DateTime, { description: 'When it was added.' })
  createdAt!: Date;
}

@InputType({ description: 'A provider of models: an OpenAI-compatible API.' })
export class SetProviderInput {
  @Field(() => String, {
    description:
      '1 to 40 lowercase letters, digits and hyphens. A provider of this key is changed. Assistants name its models key/model.',
  })
  key!: string;

  @Field(() => String, {
    description:
      'Its address, with the version, on a public network: https://api.openai.com/v1. It is shown.',
  })
  baseUrl!: string;

  @Nullable(
    () => String,
    'Stored encrypted and never shown again. Left out: as before, while the host stays the same. Null: it asks for none.',
  )
  apiKey?: string | null;

  @Nullable(() => Api, 'The protocol; AUTO when left out.')
  api?: ProviderApi | null;

  @Nullable(
    () => [String],
    'The models that assistants may ask it for, at most 200; left out or empty: whatever it has.',
  )
  models?: string[] | null;
}

@ObjectType('ProviderTest', { description: 'What came of a test.' })
export class ProviderTestModel {
  @Field(() => Boolean, { description: 'Whether the model answered.' })
  ok!: boolean;

  @Field(() => String, { description: 'What came of it, in words.' })
  message!: string;

  @Field(() => String, { description: 'The model that was asked.' })
  model!: string;

  @Field(() => Api, { description: 'The protocol in which it was asked last.' })
  api!: ProviderApi;

  @Field(() => Int, { description: 'How long it took.' })
  durationMs!: number;
}
