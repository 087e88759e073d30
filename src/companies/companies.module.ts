import { Module } from '@nestjs/common';

import { NodeFinders } from '../auth/node-finders.js';
import { NodesModule } from '../auth/nodes.module.js';
import { ApiKeyRepository } from './api-keys/api-key.repository.js';
import { ApiKeyResolver } from './api-keys/api-key.resolver.js';
import { ApiKeys } from './api-keys/api-keys.service.js';
import { AuditEntryRepository } from './audit/audit-entry.repository.js';
import { AuditEntryResolver } from './audit/audit-entry.resolver.js';
import { AuditService } from './audit/audit.service.js';
import { FilesModule } from '../files/files.module.js';
import { CompaniesService } from './companies.service.js';
import { CompanyRepository } from './company.repository.js';
import { CompanyResolver } from './company.resolver.js';
import { GoneMembers } from './member-data/gone-members.service.js';
import { MemberData } from './member-data/member-data.js';
import { MemberDataRepository } from './member-data/member-data.repository.js';
import { MemberDataResolver } from './member-data/member-data.resolver.js';
import { MemberErasure } from './member-data/member-erasure.service.js';
import { MemberExport } from './member-data/member-export.service.js';
import { MemberRemoval } from './member-data/member-removal.service.js';
import { OwnData } from './member-data/own-data.service.js';
import { MemberRepository } from './members/member.repository.js';
import { MemberResolver } from './members/member.resolver.js';
import { MembersService } from './members/members.service.js';
import { ViewerResolver } from './members/viewer.resolver.js';

@Module({
  imports: [FilesModule, NodesModule],
  providers: [
    ApiKeyRepository,
    ApiKeyResolver,
    ApiKeys,
    AuditEntryRepository,
    AuditEntryResolver,
    AuditService,
    CompaniesService,
    CompanyRepository,
    CompanyResolver,
    GoneMembers,
    MemberData,
    MemberDataRepository,
    MemberDataResolver,
    MemberErasure,
    MemberExport,
    MemberRemoval,
    MemberRepository,
    MemberResolver,
    MembersService,
    OwnData,
    ViewerResolver,
  ],
  exports: [ApiKeys, AuditService, CompaniesService, GoneMembers, MemberData, MembersService],
})
export class CompaniesModule {
  constructor(
    nodes: NodeFinders,
    companies: CompaniesService,
    members: MembersService,
    audit: AuditService,
    keys: ApiKeys,
  ) {
    nodes.register('ApiKey', (viewer, id) => keys.find(viewer, id));
    nodes.register('AuditEntry', (viewer, id) => audit.find(viewer, id));
    nodes.register('Company', async (viewer, id) =>
      id === viewer.companyId ? companies.getOf(viewer) : null,
    );
    nodes.register('Member', (viewer, id) => members.find(viewer, id));
  }
}
