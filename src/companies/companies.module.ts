import { Module } from '@nestjs/common';

import { AuditService } from './audit.service.js';
import { CompaniesService } from './companies.service.js';
import { CompanyRepository } from './company.repository.js';
import { CompanyResolver } from './company.resolver.js';
import { MemberRepository } from './member.repository.js';
import { MembersService } from './members.service.js';
import { ViewerResolver } from './viewer.resolver.js';

@Module({
  providers: [
    AuditService,
    CompaniesService,
    CompanyRepository,
    CompanyResolver,
    MemberRepository,
    MembersService,
    ViewerResolver,
  ],
  exports: [AuditService, CompaniesService, MembersService],
})
export class CompaniesModule {}
