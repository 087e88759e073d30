import { Parent, ResolveField, Resolver } from '@nestjs/graphql';

import { CurrentViewer, OperationLoaders } from '../auth/current-viewer.decorator.js';
import { LoaderKey, type Loaders } from '../auth/graphql-context.js';
import type { Viewer } from '../auth/viewer.js';
import { loadById } from '../common/schema/load-many.js';
import type { Member } from '../companies/members/member.entity.js';
import { MemberModel } from '../companies/members/member.model.js';
import { MembersService } from '../companies/members/members.service.js';
import { QuotaModel, UsageRowModel } from './usage.model.js';

const membersShown = new LoaderKey<Member | null>();

const shown = {
  nullable: true,
  description: 'Who memberId is; null where it is, and when they are gone.',
};

@Resolver(() => UsageRowModel)
export class UsageRowMemberResolver {
  constructor(private readonly members: MembersService) {}

  @ResolveField(() => MemberModel, shown)
  member(
    @CurrentViewer() viewer: Viewer,
    @OperationLoaders() loaders: Loaders,
    @Parent() { memberId }: UsageRowModel,
  ): Promise<Member | null> | null {
    return memberId === null ? null : loaderOf(this.members, viewer, loaders).load(memberId);
  }
}

@Resolver(() => QuotaModel)
export class QuotaMemberResolver {
  constructor(private readonly members: MembersService) {}

  @ResolveField(() => MemberModel, shown)
  member(
    @CurrentViewer() viewer: Viewer,
    @OperationLoaders() loaders: Loaders,
    @Parent() { memberId }: QuotaModel,
  ): Promise<Member | null> | null {
    return memberId === null ? null : loaderOf(this.members, viewer, loaders).load(memberId);
  }
}

const loaderOf = (members: MembersService, viewer: Viewer, loaders: Loaders) =>
  loaders.of(membersShown, () => loadById((ids) => members.findMany(viewer, ids)));
