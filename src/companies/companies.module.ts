import { Module } from '@nestjs/common';

import { NodeFinders } from '../auth/node-finders.js';
import { NodesModule } from '../auth/nodes.module.js';
import { AuditService } from './audit.service.js';
import { CompaniesService } from './companies.service.js';
import { CompanyRepository } from './company.repository.js';
import { CompanyResolver } from './company.resolver.js';
import { MemberRepository } from './member.repository.js';
import { MembersService } from './members.service.js';
import { ViewerResolver } from './viewer.resolver.js';

@Module({
  imports: [NodesModule],
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
export class CompaniesModule {
  constructor(nodes: NodeFinders, companies: CompaniesService) {
    nodes.register('Company', async (viewer, id) =>
      id === viewer.companyId ? companies.getOf(viewer) : null,
    );
  }
}
