import { Module } from '@nestjs/common';

import { CompaniesModule } from '../companies.module.js';
import { UsageRepository, QuotaRepository } from './usage.repository.js';
import { UsageService } from './usage.service.js';
import { QuotaMemberResolver, UsageRowMemberResolver, UsageResolver } from './usage.resolver.js';

@Module({
  imports: [CompaniesModule],
  providers: [
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
