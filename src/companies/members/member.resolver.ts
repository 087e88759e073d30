import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';

import { type Connection, toConnection, ForwardPageArguments } from '../../common/schema/page.js';
import { HEAVY_COST } from '../../common/schema/cost.js';
import { ID } from '../../common/schema/fields.js';
import { AtLeast, CurrentViewer } from '../auth/viewer-decorators.js';
import type { Viewer } from '../auth/viewer.js';
import { FileModel } from '../files/file.model.js';
import type { StoredFile } from '../files/stored-file.entity.js';
import { MemberErasure } from './member-erasure.service.js';
import { MemberExport } from './member-export.service.js';
import type { Member } from './member.repository.js';
import { MemberConnection, MemberModel } from './member.model.js';
import { MemberDeactivation } from './member-deactivation.service.js';
import { MembersService } from './members.service.js';

const memberId = { type: () => ID, description: 'The id of the member.' };

@Resolver()
export class MemberResolver {
  constructor(
    private readonly service: MembersService,
    private readonly deactivation: MemberDeactivation,
  ) {}

  @AtLeast('ADMIN')
  @Query(() => MemberConnection, {
    description:
      'The people who have signed in to the viewer’s company and are not erased, and the programs of its API keys, also of revoked ones, newest first. Admins only.',
  })
  async members(
    @CurrentViewer() viewer: Viewer,
    @Args() page: ForwardPageArguments,
  ): Promise<Connection<Member>> {
    return toConnection(await this.service.list(viewer, page));
  }

  @AtLeast('ADMIN')
  @Mutation(() => MemberModel, {
    description:
      'Blocks a member, whatever tokens they have. They get UNAUTHENTICATED, their sockets are closed, the API keys they created are paused, and their file links stop working. Their data stays, and running turns end. CONFLICT for the viewer and for the last admin. Repeating it has no effect. Admins only. Audited.',
  })
  deactivateMember(@CurrentViewer() viewer: Viewer, @Args('id', memberId) id: string): Promise<Member> {
    return this.deactivation.deactivate(viewer, id);
  }

  @AtLeast('ADMIN')
  @Mutation(() => MemberModel, {
    description:
      'Unblocks a member and the API keys they created. Repeating it has no effect. Admins only. Audited.',
  })
  reactivateMember(@CurrentViewer() viewer: Viewer, @Args('id', memberId) id: string): Promise<Member> {
    return this.deactivation.reactivate(viewer, id);
  }
}

@Resolver()
export class MemberDataResolver {
  constructor(
    private readonly exports: MemberExport,
    private readonly erasure: MemberErasure,
  ) {}

  @Mutation(() => FileModel, {
    complexity: HEAVY_COST,
    description:
      'Exports all data stored about the viewer as one of their files: a .zip with one JSON Lines file for each kind of data. It replaces the previous export. RATE_LIMITED while another export is running.',
  })
  exportMyData(@CurrentViewer() viewer: Viewer): Promise<StoredFile> {
    return this.exports.create(viewer);
  }

  @Mutation(() => ID, {
    description:
      'Erases the viewer for good, with all their conversations, memories, files and notifications. Running turns are cancelled. The same token then creates a new member. Returns the erased viewer’s id.',
  })
  eraseMyData(@CurrentViewer() viewer: Viewer): Promise<string> {
    return this.erasure.begin(viewer, viewer.id);
  }

  @AtLeast('ADMIN')
  @Mutation(() => ID, {
    description:
      'Erases a member of the company as eraseMyData does, and returns the id. Admins only. Audited.',
  })
  eraseMember(@CurrentViewer() viewer: Viewer, @Args('id', memberId) id: string): Promise<string> {
    return this.erasure.begin(viewer, id);
  }
}
