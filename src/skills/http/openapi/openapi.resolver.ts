import { Args, Mutation, Resolver } from '@nestjs/graphql';

import { CurrentViewer } from '../../../auth/current-viewer.decorator.js';
import type { Viewer } from '../../../auth/viewer.js';
import { AtLeast } from '../../../auth/viewer.guard.js';
import { SkillModel } from '../../skill.model.js';
import { type CompanySkill, SkillsService } from '../../skills.service.js';
import { ImportOpenApiInput, OpenApiPreview, OpenApiSourceInput } from './openapi.model.js';
import { OpenApiImports, type OpenApiPreview as Preview } from './openapi-imports.service.js';

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
    @Args('input', { description: 'The document.' }) input: OpenApiSourceInput,
  ): Promise<Preview> {
    return this.imports.preview(input);
  }

  @AtLeast('ADMIN')
  @Mutation(() => [SkillModel], {
    description: 'Makes an HTTP skill of each of these operations, or of none. For admins; audited.',
  })
  async importOpenApi(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to import.' }) input: ImportOpenApiInput,
  ): Promise<CompanySkill[]> {
    const keys = new Set(await this.imports.import(viewer, input));
    return (await this.companySkills.list(viewer)).filter(({ key }) => keys.has(key));
  }
}
