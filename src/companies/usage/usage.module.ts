import { Module } from '@nestjs/common';

import { CompaniesModule } from '../companies.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { QuotaRepository } from './quota.repository.js';
import { Quotas } from './quotas.service.js';
import { UsageRepository } from './usage.repository.js';
import { UsageService } from './usage.service.js';
import { QuotaMemberResolver, UsageRowMemberResolver, UsageResolver } from './usage.resolver.js';

@Module({
  imports: [CompaniesModule, ProvidersModule],
  providers: [
    QuotaMemberResolver,
    QuotaRepository,
    Quotas,
    UsageRepository,
    UsageResolver,
    UsageRowMemberResolver,
    UsageService,
  ],
  exports: [Quotas],
})
export class UsageModule {}
