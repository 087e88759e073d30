import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';

import { type Connection, toConnection, ForwardPageArguments } from '../../common/schema/page.js';
import { MAX_COST } from '../../common/schema/cost.js';
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

const memberId = { type: () => ID, description: 'The member’s id.' };

@Resolver()
export class MemberResolver {
  constructor(
    private readonly service: MembersService,
    private readonly deactivation: MemberDeactivation,
  ) {}

  @AtLeast('ADMIN')
  @Query(() => MemberConnection, {
    description:
      'Who has come to the viewer’s company so far and was not erased, the newest first. For admins.',
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
      'Ends a member’s access, whatever tokens they have: they are UNAUTHENTICATED, their sockets are closed, the API ' +
      'keys that they made are paused, and links to files that they were given lead nowhere. What is theirs stays, and ' +
      'turns under way end. CONFLICT for oneself and for the last admin. Twice does no harm. For admins; audited.',
  })
  deactivateMember(@CurrentViewer() viewer: Viewer, @Args('id', memberId) id: string): Promise<Member> {
    return this.deactivation.deactivate(viewer, id);
  }

  @AtLeast('ADMIN')
  @Mutation(() => MemberModel, {
    description:
      'Lets a member in again, with the API keys that they made. Twice does no harm. For admins; audited.',
  })
  reactivateMember(@CurrentViewer() viewer: Viewer, @Args('id', memberId) id: string): Promise<Member> {
    return this.deactivation.reactivate(viewer, id);
  }
}

/** An export reads all data of the viewer. */
const EXPORT_COST = MAX_COST / 25;

@Resolver()
export class MemberDataResolver {
  constructor(
    private readonly exports: MemberExport,
    private readonly erasure: MemberErasure,
  ) {}

  @Mutation(() => FileModel, {
    complexity: EXPORT_COST,
    description:
      'All that is kept of the viewer, as one of their files: a .zip with a file for each kind of data, each line of ' +
      'which is JSON. It takes the place of the export before it. RATE_LIMITED while another one is being made.',
  })
  exportMyData(@CurrentViewer() viewer: Viewer): Promise<StoredFile> {
    return this.exports.create(viewer);
  }

  @Mutation(() => ID, {
    description:
      'Erases the viewer, for good, with all conversations, memories, files and notifications of theirs. Turns under ' +
      'way are cancelled. Whoever comes with the same token is somebody new. Gives the id that was the viewer’s.',
  })
  eraseMyData(@CurrentViewer() viewer: Viewer): Promise<string> {
    return this.erasure.begin(viewer, viewer.id);
  }

  @AtLeast('ADMIN')
  @Mutation(() => ID, {
    description: 'Erases a member of the company as eraseMyData does, and gives the id. For admins; audited.',
  })
  eraseMember(@CurrentViewer() viewer: Viewer, @Args('id', memberId) id: string): Promise<string> {
    return this.erasure.begin(viewer, id);
  }
}
