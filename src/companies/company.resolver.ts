import { Args, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import { AtLeast, CurrentViewer } from './auth/viewer-decorators.js';
import type { Viewer } from './auth/viewer.js';
import { CompaniesService, revenueOf } from './companies.service.js';
import type { CompanyErasure } from './company-erasure.repository.js';
import { CompanyErasures } from './company-erasure.service.js';
import type { Company } from './company.repository.js';
import {
  CompanyModel,
  CompanyProfile,
  Money,
  UpdateCompanyInput,
  CompanyErasureModel,
} from './company.model.js';
import { ViewerModel } from './members/member.model.js';

@Resolver(() => CompanyModel)
export class CompanyResolver {
  constructor(private readonly companies: CompaniesService) {}

  @Query(() => CompanyModel, { description: 'The viewer’s company.' })
  company(@CurrentViewer() viewer: Viewer): Promise<Company> {
    return this.companies.getOf(viewer);
  }

  @AtLeast('ADMIN')
  @Mutation(() => CompanyModel, { description: 'Changes the viewer’s company. Admins only. Audited.' })
  updateCompany(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The changes.' }) input: UpdateCompanyInput,
  ): Promise<Company> {
    return this.companies.update(viewer, input);
  }

  @ResolveField(() => Money, { nullable: true, description: 'The revenue of one year. Null if unknown.' })
  revenue(@Parent() company: Company): Money | null {
    return revenueOf(company);
  }

  @ResolveField(() => CompanyProfile, { description: 'What the company states about itself.' })
  profile(@Parent() company: Company): CompanyProfile {
    return company;
  }
}

@Resolver(() => ViewerModel)
export class ViewerResolver {
  constructor(private readonly companies: CompaniesService) {}

  @Query(() => ViewerModel, { description: 'The caller.' })
  viewer(@CurrentViewer() viewer: Viewer): Viewer {
    return viewer;
  }

  @ResolveField(() => CompanyModel, { description: 'The company of the token.' })
  company(@Parent() viewer: Viewer): Promise<Company> {
    return this.companies.getOf(viewer);
  }
}

@Resolver(() => CompanyErasureModel)
export class CompanyErasureResolver {
  constructor(private readonly erasures: CompanyErasures) {}

  @AtLeast('OPERATOR')
  @Query(() => [CompanyErasureModel], {
    description: 'The erased companies of this installation: the latest 100, newest first. Operators only.',
  })
  companyErasures(): Promise<CompanyErasure[]> {
    return this.erasures.list();
  }

  @AtLeast('OPERATOR')
  @Mutation(() => CompanyErasureModel, {
    description:
      'Erases a company and all its data for good. Its tokens and keys stop working at once, and all data is gone soon after. Operators only. Recorded in companyErasures.',
  })
  eraseCompany(
    @CurrentViewer() viewer: Viewer,
    @Args('slug', { description: 'The company’s name in tokens.' }) slug: string,
    @Args('confirm', { description: 'The slug again.' }) confirm: string,
  ): Promise<CompanyErasure> {
    return this.erasures.begin(viewer, slug, confirm);
  }
}
