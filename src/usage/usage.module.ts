import { Module } from '@nestjs/common';

import { CompaniesModule } from '../companies/companies.module.js';
import { MemberUsageRepository } from './member-usage.repository.js';
import { MemberUsage } from './member-usage.service.js';
import { QuotaRepository } from './quota.repository.js';
import { UsageRepository } from './usage.repository.js';
import { UsageResolver } from './usage.resolver.js';
import { UsageService } from './usage.service.js';

@Module({
  imports: [CompaniesModule],
  providers: [
    MemberUsage,
    MemberUsageRepository,
    QuotaRepository,
    UsageRepository,
    UsageResolver,
    UsageService,
  ],
  exports: [UsageService],
})
export class UsageModule {}
