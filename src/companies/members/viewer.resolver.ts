import { Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import { CurrentViewer } from '../../auth/current-viewer.decorator.js';
import type { Viewer } from '../../auth/viewer.js';
import { CompaniesService } from '../companies.service.js';
import type { Company } from '../company.entity.js';
import { CompanyModel } from '../company.model.js';
import { ViewerModel } from './viewer.model.js';

@Resolver(() => ViewerModel)
export class ViewerResolver {
  constructor(private readonly companies: CompaniesService) {}

  @Query(() => ViewerModel, { description: 'Who is asking.' })
  viewer(@CurrentViewer() viewer: Viewer): Viewer {
    return viewer;
  }

  @ResolveField(() => CompanyModel, { description: 'The one company that the token is for.' })
  company(@Parent() viewer: Viewer): Promise<Company> {
    return this.companies.getOf(viewer);
  }
}
