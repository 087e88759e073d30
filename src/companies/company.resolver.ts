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
  @Mutation(() => CompanyModel, { description: 'Changes the viewer’s company. For admins; audited.' })
  updateCompany(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What to change.' }) input: UpdateCompanyInput,
  ): Promise<Company> {
    return this.companies.update(viewer, input);
  }

  @ResolveField(() => Money, { nullable: true, description: 'Of one year; null while not known.' })
  revenue(@Parent() company: Company): Money | null {
    return revenueOf(company);
  }

  @ResolveField(() => CompanyProfile, { description: 'What the company has said of itself.' })
  profile(@Parent() company: Company): CompanyProfile {
    return company;
  }
}

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

@Resolver(() => CompanyErasureModel)
export class CompanyErasureResolver {
  constructor(private readonly erasures: CompanyErasures) {}

  @AtLeast('OPERATOR')
  @Query(() => [CompanyErasureModel], {
    description: 'The companies of this installation that were erased, the latest 100 first. For operators.',
  })
  companyErasures(): Promise<CompanyErasure[]> {
    return this.erasures.list();
  }

  @AtLeast('OPERATOR')
  @Mutation(() => CompanyErasureModel, {
    description:
      'Erases a company with all that is its own, for good: at once nobody comes in with its tokens or keys, soon after nothing of it is left. For operators; kept in companyErasures.',
  })
  eraseCompany(
    @CurrentViewer() viewer: Viewer,
    @Args('slug', { description: 'What tokens call the company by.' }) slug: string,
    @Args('confirm', { description: 'The slug once more.' }) confirm: string,
  ): Promise<CompanyErasure> {
    return this.erasures.begin(viewer, slug, confirm);
  }
}
