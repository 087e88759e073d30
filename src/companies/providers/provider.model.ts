import { Field, Float, InputType, Int, ObjectType } from '@nestjs/graphql';
import type { ModelPrice as Price, ReasoningEffort as Effort, WindowSource } from '@palabre/llm-client';

import { enumType, Node, Nullable, DateTime } from '../../common/schema/fields.js';
import { ReasoningEffort } from '../assistants/reasoning-effort.model.js';
import type { ProviderApi } from './provider.entity.js';
import { MAX_MODELS } from './provider-input.js';

const Api = enumType<ProviderApi>('ProviderApi', 'The API that a provider’s models are called with.', {
  AUTO: 'Chosen by what is known about the provider and its models, and by what it refuses.',
  CHAT: 'Chat completions, which almost all providers support.',
  RESPONSES: 'The Responses API, in which OpenAI’s models can reason while they use tools.',
});

const Source = enumType<WindowSource>('ContextWindowSource', 'Where a model’s context size is known from.', {
  SET: 'The operator has set it.',
  KNOWN: 'From the built-in table, by the model’s name.',
  TOLD: 'From the provider’s list of models.',
  ASSUMED: 'No source has it: a usual size is assumed.',
});

@ObjectType({ description: 'The price of a model, in USD per million tokens.' })
class ModelPrice {
  @Field(() => Float, { description: 'Input tokens.' })
  input!: number;

  @Field(() => Float, { description: 'Input tokens that the provider had cached.' })
  cachedInput!: number;

  @Field(() => Float, { description: 'Output tokens, including reasoning.' })
  output!: number;
}

@ObjectType('OfferedModel', { description: 'A model of a company’s provider, as far as it is known.' })
export class OfferedModelModel {
  @Field(() => String, { description: 'The provider’s name for the model.' })
  name!: string;

  @Field(() => Int, { description: 'The tokens of prompt and answer together.' })
  contextWindow!: number;

  @Field(() => Source, { name: 'contextWindowSource', description: 'The source of contextWindow.' })
  windowSource!: WindowSource;

  @Field(() => Int, {
    name: 'maxOutputTokens',
    nullable: true,
    description: 'The maximum tokens of an answer. Null if unknown.',
  })
  maxOutput!: number | null;

  @Field(() => Boolean, {
    name: 'seesImages',
    nullable: true,
    description: 'Whether the model accepts images. Null if unknown.',
  })
  images!: boolean | null;

  @Nullable(() => Boolean, 'Whether the model reasons before it answers. Null if unknown.')
  reasons!: boolean | null;

  @Field(() => [ReasoningEffort], {
    name: 'reasoningEfforts',
    nullable: true,
    description: 'The supported reasoning efforts, lowest first. Null if unknown.',
  })
  efforts!: readonly Effort[] | null;

  @Field(() => Boolean, {
    name: 'structuredOutput',
    nullable: true,
    description: 'Whether its answers can be made to fit a schema. Null if unknown.',
  })
  structured!: boolean | null;

  @Nullable(() => ModelPrice, 'The price. Null if unknown, which counts as no cost.')
  price!: Price | null;
}

@ObjectType('Provider', {
  implements: () => [Node],
  description: 'A provider of models that the company has added, besides the installation’s own.',
})
export class ProviderModel extends Node {
  @Field(() => String, { description: 'The prefix in the model names of assistants: key/model.' })
  key!: string;

  @Field(() => String, { description: 'The base address, with the version.' })
  baseUrl!: string;

  @Field(() => Api, { description: 'The API that its models are called with.' })
  api!: ProviderApi;

  @Field(() => DateTime, { description: 'When it was added.' })
  createdAt!: Date;
}

@InputType({ description: 'A provider with an OpenAI-compatible API.' })
export class SetProviderInput {
  @Field(() => String, {
    description:
      '1 to 40 lowercase letters, digits and hyphens, starting with a letter. An existing provider with this key is changed. Assistants name its models key/model.',
  })
  key!: string;

  @Field(() => String, {
    description:
      'The base address on a public network, with the API version: https://api.openai.com/v1. It is shown.',
  })
  baseUrl!: string;

  @Nullable(
    () => String,
    'Stored encrypted and never shown again. If omitted, it stays, while the host stays the same. Null: none is needed.',
  )
  apiKey?: string | null;

  @Nullable(() => Api, 'The API to use. Default: AUTO.')
  api?: ProviderApi | null;

  @Nullable(
    () => [String],
    `The models that assistants may use, at most ${MAX_MODELS}. If omitted or empty, all models of the provider.`,
  )
  models?: string[] | null;
}

@ObjectType('ProviderTest', { description: 'The outcome of a test.' })
export class ProviderTestModel {
  @Field(() => Boolean, { description: 'Whether the model answered.' })
  ok!: boolean;

  @Field(() => String, { description: 'The outcome, in words.' })
  message!: string;

  @Field(() => String, { description: 'The model that was called.' })
  model!: string;

  @Field(() => Api, { description: 'The API of the last attempt.' })
  api!: ProviderApi;

  @Field(() => Int, { description: 'The duration, in milliseconds.' })
  durationMs!: number;
}
