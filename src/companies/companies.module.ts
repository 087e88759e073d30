import { Module } from '@nestjs/common';

import { NodeFinders } from './auth/node-finders.js';
import { NodesModule } from './auth/nodes.module.js';
import { ApiKeyRepository } from './api-keys/api-key.repository.js';
import { ApiKeyResolver } from './api-keys/api-key.resolver.js';
import { ApiKeys } from './api-keys/api-keys.service.js';
import { AuditEntryResolver } from './audit/audit-entry.resolver.js';
import { AuditRepository } from './audit/audit.repository.js';
import { AuditService } from './audit/audit.service.js';
import { FilesModule } from './files/files.module.js';
import { CompaniesService } from './companies.service.js';
import { CompanyRepository } from './company.repository.js';
import { CompanyResolver, CompanyErasureResolver, ViewerResolver } from './company.resolver.js';
import { CompanyErasureRepository } from './company-erasure.repository.js';
import { CompanyErasures } from './company-erasure.service.js';
import { MemberAccessWatcher } from './members/member-access.service.js';
import { MemberData } from './members/member-data.js';
import { MemberDataResolver, MemberResolver } from './members/member.resolver.js';
import { MemberErasure, MemberRemoval } from './members/member-erasure.service.js';
import { MemberRepository } from './members/member.repository.js';
import { MemberExport } from './members/member-export.service.js';
import { MemberDeactivation } from './members/member-deactivation.service.js';
import { MembersService } from './members/members.service.js';
import { OwedWork } from './owed-work.service.js';

@Module({
  imports: [FilesModule, NodesModule],
  providers: [
    ApiKeyRepository,
    ApiKeyResolver,
    ApiKeys,
    AuditEntryResolver,
    AuditRepository,
    AuditService,
    CompaniesService,
    CompanyErasureRepository,
    CompanyErasureResolver,
    CompanyErasures,
    CompanyRepository,
    CompanyResolver,
    MemberAccessWatcher,
    MemberData,
    MemberDataResolver,
    MemberDeactivation,
    MemberErasure,
    MemberExport,
    MemberRemoval,
    MemberRepository,
    MemberResolver,
    MembersService,
    OwedWork,
    ViewerResolver,
  ],
  exports: [
    ApiKeys,
    AuditService,
    CompaniesService,
    MemberAccessWatcher,
    MemberData,
    MembersService,
    OwedWork,
  ],
})
export class CompaniesModule {
  constructor(
    nodes: NodeFinders,
    companies: CompaniesService,
    members: MembersService,
    audit: AuditRepository,
    keys: ApiKeyRepository,
  ) {
    nodes.registerForAdmins('ApiKey', keys);
    nodes.registerForAdmins('AuditEntry', audit);
    nodes.register('Company', async (viewer, id) =>
      id === viewer.companyId ? companies.getOf(viewer) : null,
    );
    nodes.register('Member', (viewer, id) => members.find(viewer, id));
  }
}
