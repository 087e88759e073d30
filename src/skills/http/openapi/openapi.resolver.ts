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
import { MAX_HEADERS, TIMEOUTS } from '../http-skill-input.js';
import {
  MAX_DOCUMENT_BYTES,
  MAX_IMPORTED,
  OpenApiImports,
  type OpenApiPreview as Preview,
} from './openapi-imports.service.js';

@InputType({ description: 'An OpenAPI document, 3.0 or 3.1, JSON or YAML. Give either document or url.' })
class OpenApiSourceInput {
  @Nullable(() => String, 'The document itself. Use url if it is larger than a request may be.')
  document?: string | null;

  @Nullable(() => String, `The address of the document: at most ${MAX_DOCUMENT_BYTES / 1_000_000} MB.`)
  url?: string | null;

  @Nullable(
    () => String,
    'The prefix of all keys, such as crm: 1 to 30 lowercase letters, digits and _, starting with a letter.',
  )
  prefix?: string | null;
}

@InputType({ description: 'The operations of an OpenAPI document to import, and how to call them.' })
class ImportOpenApiInput extends OpenApiSourceInput {
  @Field(() => [String], {
    description: `The operationIds from the preview: at most ${MAX_IMPORTED}.`,
  })
  operations!: string[];

  @Nullable(() => String, 'The address of the service. Default: the one in the document.')
  serverUrl?: string | null;

  @Nullable(() => String, 'Default: the document’s title.')
  category?: string | null;

  @Nullable(() => [HttpHeaderInput], `Sent with every call; at most ${MAX_HEADERS}.`)
  headers?: HttpHeaderInput[] | null;

  @Nullable(
    () => [HttpSecretInput],
    `At most ${MAX_HEADERS}. If omitted when replacing skills, they stay as they are if the host is the same.`,
  )
  secrets?: HttpSecretInput[] | null;

  @Nullable(() => Float, `The seconds a call may take: ${TIMEOUTS}.`)
  timeoutSeconds?: number | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Whether to change existing HTTP skills with these keys. If false, an existing key is a CONFLICT.',
  })
  replace!: boolean;
}

@ObjectType({ description: 'An operation of an OpenAPI document.' })
class OpenApiOperation {
  @Field(() => String, {
    description: 'The operationId in the document. If it is missing or not unique, the method and path.',
  })
  operationId!: string;

  @Field(() => String, { description: 'The key of the resulting skill.' })
  key!: string;

  @Field(() => HttpMethodEnum, { description: 'The HTTP method.' })
  method!: HttpMethod;

  @Field(() => String, { description: 'The path.' })
  path!: string;

  @Field(() => String, { description: 'One line about what it does.' })
  summary!: string;

  @Nullable(() => Json, 'The JSON Schema of the resulting skill’s arguments. Null if it cannot be imported.')
  parameters!: JsonObject | null;

  @Field(() => Boolean, { description: 'Whether it can be imported.' })
  isImportable!: boolean;

  @Field(() => [String], {
    description: 'What is omitted or sent differently, or why it cannot be imported.',
  })
  problems!: string[];
}

@ObjectType({ description: 'The content of an OpenAPI document. Nothing was created.' })
export class OpenApiPreview {
  @Field(() => String, { description: 'The document’s title. Empty if it has none.' })
  title!: string;

  @Field(() => String, { description: 'The version of the described API. Empty if there is none.' })
  version!: string;

  @Nullable(
    () => String,
    'The service’s address in the document. Null if it has none: give one to the import.',
  )
  serverUrl!: string | null;

  @Field(() => [HttpSecret], { description: 'The credentials that the service may require.' })
  credentials!: HttpSecret[];

  @Field(() => [OpenApiOperation], {
    complexity: listCost(MAX_OPERATIONS),
    description: 'The first 500 operations, in document order.',
  })
  operations!: OpenApiOperation[];

  @Field(() => Int, { description: 'The number of further operations.' })
  omitted!: number;
}

@ObjectType({ description: 'An operation that did not become a skill.' })
class RefusedOperation {
  @Field(() => String, { description: 'As it was requested.' })
  operationId!: string;

  @Field(() => String, { description: 'Why it cannot be imported, for people.' })
  reason!: string;
}

@ObjectType({ description: 'The outcome of an import: the skills, and the refused operations.' })
class OpenApiImport {
  @Field(() => [SkillModel], { description: 'The skills that were created or replaced.' })
  skills!: CompanySkill[];

  @Field(() => [RefusedOperation], {
    description: 'The operations that did not become skills. Empty if there are none.',
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
    description: 'Reads an OpenAPI document and shows what can be imported. Changes nothing. Admins only.',
  })
  previewOpenApiImport(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The document.' }) input: OpenApiSourceInput,
  ): Promise<Preview> {
    return this.imports.preview(viewer, input);
  }

  @AtLeast('ADMIN')
  @Mutation(() => [SkillModel], {
    description: 'Creates an HTTP skill for each of these operations, or for none. Admins only. Audited.',
    deprecationReason: 'Use importOpenApiOperations, which imports what it can and says why not the rest.',
  })
  async importOpenApi(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The operations.' }) input: ImportOpenApiInput,
  ): Promise<CompanySkill[]> {
    return this.skillsOf(viewer, await this.imports.import(viewer, input));
  }

  @AtLeast('ADMIN')
  @Mutation(() => OpenApiImport, {
    description:
      'Creates an HTTP skill for each of these operations if possible, and explains why the others are refused. Admins only. Audited.',
  })
  async importOpenApiOperations(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The operations.' }) input: ImportOpenApiInput,
  ): Promise<OpenApiImport> {
    const { keys, refused } = await this.imports.importEach(viewer, input);
    return { skills: await this.skillsOf(viewer, keys), refused };
  }

  private async skillsOf(viewer: Viewer, keys: readonly string[]): Promise<CompanySkill[]> {
    const wanted = new Set(keys);
    return (await this.companySkills.list(viewer)).filter(({ key }) => wanted.has(key));
  }
}
