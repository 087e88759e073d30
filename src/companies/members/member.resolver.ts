import { Args, Query, Resolver } from '@nestjs/graphql';

import { CurrentViewer } from '../../auth/current-viewer.decorator.js';
import type { Viewer } from '../../auth/viewer.js';
import { AtLeast } from '../../auth/viewer.guard.js';
import { type Connection, toConnection } from '../../common/schema/connection.js';
import { ForwardPageArguments } from '../../common/schema/page.js';
import type { Member } from './member.entity.js';
import { MemberConnection } from './member.model.js';
import { MembersService } from './members.service.js';

@Resolver()
export class MemberResolver {
  constructor(private readonly service: MembersService) {}

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
}
