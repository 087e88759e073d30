import { Module } from '@nestjs/common';

import { CompaniesModule } from '../companies/companies.module.js';
import { QuotaRepository } from './quota.repository.js';
import { UsageRepository } from './usage.repository.js';
import { UsageResolver } from './usage.resolver.js';
import { UsageService } from './usage.service.js';

@Module({
  imports: [CompaniesModule],
  providers: [QuotaRepository, UsageRepository, UsageResolver, UsageService],
  exports: [UsageService],
})
export class UsageModule {}
