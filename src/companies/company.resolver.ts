import { Args, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import { CurrentViewer } from '../auth/current-viewer.decorator.js';
import type { Viewer } from '../auth/viewer.js';
import { AtLeast } from '../auth/viewer.guard.js';
import { CompaniesService } from './companies.service.js';
import type { Company } from './company.entity.js';
import { CompanyModel, CompanyProfile, Money, UpdateCompanyInput } from './company.model.js';

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
    const { revenueAmount, revenueCurrency } = company;
    return revenueAmount === null || revenueCurrency === null
      ? null
      : { amount: revenueAmount, currency: revenueCurrency };
  }

  @ResolveField(() => CompanyProfile, { description: 'What the company has said of itself.' })
  profile(@Parent() company: Company): CompanyProfile {
    return company;
  }
}
