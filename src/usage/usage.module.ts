import { Module } from '@nestjs/common';

import { CompaniesModule } from '../companies/companies.module.js';
import { MemberUsageRepository } from './member-usage.repository.js';
import { MemberUsage } from './member-usage.service.js';
import { QuotaRepository } from './quota.repository.js';
import { QuotaMemberResolver, UsageRowMemberResolver } from './usage-members.resolver.js';
import { UsageRepository } from './usage.repository.js';
import { UsageResolver } from './usage.resolver.js';
import { UsageService } from './usage.service.js';

@Module({
  imports: [CompaniesModule],
  providers: [
    MemberUsage,
    MemberUsageRepository,
    QuotaMemberResolver,
    QuotaRepository,
    UsageRepository,
    UsageResolver,
    UsageRowMemberResolver,
    UsageService,
  ],
  exports: [UsageService],
})
export class UsageModule {}
