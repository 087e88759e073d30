import { Field, Float, InputType, Int, ObjectType, Args, Mutation, Resolver } from '@nestjs/graphql';
import { type HttpMethod, MAX_OPERATIONS } from '@palabre/openapi';
import type { JsonObject } from '@palabre/json';

import { listCost } from '../../../common/schema/cost.js';
import { Nullable, Json } from '../../../common/schema/fields.js';
import { HttpHeaderInput, HttpMethodEnum, HttpSecret, HttpSecretInput } from '../http-skill.model.js';
import { SkillModel } from '../../skill.model.js';
import { type CompanySkill, SkillsService } from '../../skills.service.js';
import { AtLeast, CurrentViewer } from '../../../companies/auth/viewer-decorators.js';
import type { Viewer } from '../../../companies/auth/viewer.js';
import { OpenApiImports, type OpenApiPreview as Preview } from './openapi-imports.service.js';

@InputType({ description: 'An OpenAPI document, 3.0 or 3.1, JSON or YAML: one of document and url.' })
class OpenApiSourceInput {
  @Nullable(() => String, 'The document itself. What is longer than a request may be is read by its url.')
  document?: string | null;

  @Nullable(() => String, 'Where the document is; at most 2 MB.')
  url?: string | null;

  @Nullable(() => String, 'Before every key, such as crm: 1 to 30 lowercase letters, digits and _.')
  prefix?: string | null;
}

@InputType({ description: 'Which operations of an OpenAPI document become skills, and how they are called.' })
class ImportOpenApiInput extends OpenApiSourceInput {
  @Field(() => [String], { description: 'Their operationIds, as the preview has them; at most 50.' })
  operations!: string[];

  @Nullable(() => String, 'Where the service is; left out: as the document says.')
  serverUrl?: string | null;

  @Nullable(() => String, 'Of the skills; left out: the document’s title.')
  category?: string | null;

  @Nullable(() => [HttpHeaderInput], 'Sent with every call; at most 20.')
  headers?: HttpHeaderInput[] | null;

  @Nullable(
    () => [HttpSecretInput],
    'At most 20. Left out for skills that are replaced: as they were, if the host is the same.',
  )
  secrets?: HttpSecretInput[] | null;

  @Nullable(() => Float, 'Of a call: from 1 to 120; 15 if left out.')
  timeoutSeconds?: number | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether HTTP skills that already have the keys are changed; otherwise that is a CONFLICT.',
  })
  replace!: boolean;
}

@ObjectType({ description: 'An operation of an OpenAPI document.' })
class OpenApiOperation {
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

  @Nullable(
    () => Json,
    'JSON Schema of the arguments that its skill would have; null: it cannot be imported.',
  )
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

  @Nullable(() => String, 'Where it says that the service is; null: give it when importing.')
  serverUrl!: string | null;

  @Field(() => [HttpSecret], { description: 'What the service may want for credentials.' })
  credentials!: HttpSecret[];

  @Field(() => [OpenApiOperation], {
    complexity: listCost(MAX_OPERATIONS),
    description: 'The first 500 of its operations, in its order.',
  })
  operations!: OpenApiOperation[];

  @Field(() => Int, { description: 'How many operations there are besides.' })
  omitted!: number;
}

@ObjectType({ description: 'An operation that has not become a skill.' })
class RefusedOperation {
  @Field(() => String, { description: 'As it was asked for.' })
  operationId!: string;

  @Field(() => String, { description: 'Why it cannot be imported, in words for people.' })
  reason!: string;
}

@ObjectType({ description: 'What an import of operations has made, and what it could not.' })
class OpenApiImport {
  @Field(() => [SkillModel], { description: 'The skills that were made or replaced.' })
  skills!: CompanySkill[];

  @Field(() => [RefusedOperation], {
    description: 'The operations that no skill was made of; empty: there are none.',
  })
  refused!: RefusedOperation[];
}

@Resolver()
export class OpenApiResolver {
  constructor(
    private readonly imports: OpenApiImports,
    private readonly companySkills: SkillsService,
  ) {}

  @AtLeast('ADMIN')
  @Mutation(() => OpenApiPreview, {
    description:
      'Reads an OpenAPI document and says what could be imported of it. Changes nothing. For admins.',
  })
  previewOpenApiImport(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The document.' }) input: OpenApiSourceInput,
  ): Promise<Preview> {
    return this.imports.preview(viewer, input);
  }

  @AtLeast('ADMIN')
  @Mutation(() => [SkillModel], {
    description: 'Makes an HTTP skill of each of these operations, or of none. For admins; audited.',
    deprecationReason: 'Use importOpenApiOperations, which imports what it can and says why not the rest.',
  })
  async importOpenApi(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to import.' }) input: ImportOpenApiInput,
  ): Promise<CompanySkill[]> {
    return this.skillsOf(viewer, await this.imports.import(viewer, input));
  }

  @AtLeast('ADMIN')
  @Mutation(() => OpenApiImport, {
    description:
      'Makes an HTTP skill of each of these operations that can be one, and says why others cannot. For admins; audited.',
  })
  async importOpenApiOperations(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to import.' }) input: ImportOpenApiInput,
  ): Promise<OpenApiImport> {
    const { keys, refused } = await this.imports.importEach(viewer, input);
    return { skills: await this.skillsOf(viewer, keys), refused };
  }

  private async skillsOf(viewer: Viewer, keys: readonly string[]): Promise<CompanySkill[]> {
    const wanted = new Set(keys);
    return (await this.companySkills.list(viewer)).filter(({ key }) => wanted.has(key));
  }
}
