import { Args, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import { CurrentViewer, OperationLoaders } from '../auth/current-viewer.decorator.js';
import type { Loaders } from '../auth/graphql-context.js';
import type { Viewer } from '../auth/viewer.js';
import { AtLeast } from '../auth/viewer.guard.js';
import { type Connection, toConnection } from '../../common/schema/connection.js';
import { ForwardPageArguments } from '../../common/schema/page.js';
import type { AuditEntry } from './audit-entry.entity.js';
import { AuditEntryConnection, AuditEntryModel } from './audit-entry.model.js';
import { AuditService } from './audit.service.js';
import { MembersService } from '../members/members.service.js';

@Resolver(() => AuditEntryModel)
export class AuditEntryResolver {
  constructor(
    private readonly entries: AuditService,
    private readonly members: MembersService,
  ) {}

  @AtLeast('ADMIN')
  @Query(() => AuditEntryConnection, {
    description: 'What was changed in the viewer’s company, newest first. For admins.',
  })
  async auditEntries(
    @CurrentViewer() viewer: Viewer,
    @Args() page: ForwardPageArguments,
  ): Promise<Connection<AuditEntry>> {
    return toConnection(await this.entries.list(viewer, page));
  }

  @ResolveField(() => String, {
    nullable: true,
    description: 'What the member is called; null when they are gone.',
  })
  async memberName(
    @OperationLoaders() loaders: Loaders,
    @Parent() { memberId }: AuditEntry,
  ): Promise<string | null> {
    return (await loaders.one(this.members, this.members.findMany, memberId))?.name ?? null;
  }
}
