import { Field, Float, InputType, Int, ObjectType } from '@nestjs/graphql';

import type { JsonObject } from '../../../common/json.js';
import { listCost } from '../../../common/schema/cost.js';
import { Json } from '../../../common/schema/scalars.js';
import { HttpHeaderInput, HttpMethodEnum, HttpSecret, HttpSecretInput } from '../http-skill.model.js';
import type { HttpMethod } from '../http-settings.js';
import { MOST_OPERATIONS } from './openapi-operations.js';

@InputType({ description: 'An OpenAPI document, 3.0 or 3.1, JSON or YAML: one of document and url.' })
export class OpenApiSourceInput {
  @Field(() => String, {
    nullable: true,
    description: 'The document itself. What is longer than a request may be is read by its url.',
  })
  document?: string | null;

  @Field(() => String, { nullable: true, description: 'Where the document is; at most 2 MB.' })
  url?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Before every key, such as crm: 1 to 30 lowercase letters, digits and _.',
  })
  prefix?: string | null;
}

@InputType({ description: 'Which operations of an OpenAPI document become skills, and how they are called.' })
export class ImportOpenApiInput extends OpenApiSourceInput {
  @Field(() => [String], { description: 'Their operationIds, as the preview has them; at most 50.' })
  operations!: string[];

  @Field(() => String, {
    nullable: true,
    description: 'Where the service is; left out: as the document says.',
  })
  serverUrl?: string | null;

  @Field(() => String, { nullable: true, description: 'Of the skills; left out: the document’s title.' })
  category?: string | null;

  @Field(() => [HttpHeaderInput], { nullable: true, description: 'Sent with every call; at most 20.' })
  headers?: HttpHeaderInput[] | null;

  @Field(() => [HttpSecretInput], {
    nullable: true,
    description: 'At most 20. Left out for skills that are replaced: as they were, if the host is the same.',
  })
  secrets?: HttpSecretInput[] | null;

  @Field(() => Float, { nullable: true, description: 'Of a call: from 1 to 120; 15 if left out.' })
  timeoutSeconds?: number | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether HTTP skills that already have the keys are changed; otherwise that is a CONFLICT.',
  })
  replace!: boolean;
}

@ObjectType({ description: 'An operation of an OpenAPI document.' })
export class OpenApiOperation {
  @Field(() => String, {
    description: 'Its name in the document; of one without, or with another one’s: its method and path.',
  })
  operationId!: string;

  @Field(() => String, { description: 'The key that its skill would have.' })
  key!: string;

  @Field(() => HttpMethodEnum, { description: 'Its method.' })
  method!: HttpMethod;

  @Field(() => String, { description: 'Its path.' })
  path!: string;

  @Field(() => String, { description: 'What it does, in a line.' })
  summary!: string;

  @Field(() => Json, {
    nullable: true,
    description: 'JSON Schema of the arguments that its skill would have; null: it cannot be imported.',
  })
  parameters!: JsonObject | null;

  @Field(() => Boolean, { description: 'Whether it can be imported.' })
  isImportable!: boolean;

  @Field(() => [String], {
    description: 'What is left out, sent otherwise, or keeps it from being imported.',
  })
  problems!: string[];
}

@ObjectType({ description: 'What is in an OpenAPI document. Nothing has been made of it.' })
export class OpenApiPreview {
  @Field(() => String, { description: 'The document’s title; empty when it has none.' })
  title!: string;

  @Field(() => String, { description: 'The version of what it describes; empty when it says none.' })
  version!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Where it says that the service is; null: give it when importing.',
  })
  serverUrl!: string | null;

  @Field(() => [HttpSecret], { description: 'What the service may want for credentials.' })
  credentials!: HttpSecret[];

  @Field(() => [OpenApiOperation], {
    complexity: listCost(MOST_OPERATIONS),
    description: 'The first 500 of its operations, in its order.',
  })
  operations!: OpenApiOperation[];

  @Field(() => Int, { description: 'How many operations there are besides.' })
  omitted!: number;
}
