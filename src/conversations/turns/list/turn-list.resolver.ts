import { Args, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import { type Connection, toConnection } from '../../../common/schema/page.js';
import { ID } from '../../../common/schema/fields.js';
import { AtLeast, CurrentViewer, OperationLoaders } from '../../../companies/auth/viewer-decorators.js';
import type { Loaders } from '../../../companies/auth/graphql-context.js';
import type { Viewer } from '../../../companies/auth/viewer.js';
import { MembersService } from '../../../companies/members/members.service.js';
import { isHiddenFrom } from '../hidden-content.js';
import type { Turn } from '../turn.entity.js';
import { TurnModel } from '../turn.model.js';
import { ShownTurn, TurnConnection, TurnsArguments } from './turn-list.model.js';
import { MAX_REASON_CHARACTERS, TurnList } from './turn-list.service.js';

@Resolver(() => TurnModel)
export class TurnListResolver {
  constructor(
    private readonly turns: TurnList,
    private readonly members: MembersService,
  ) {}

  @AtLeast('ADMIN')
  @Query(() => TurnConnection, {
    name: 'turns',
    description:
      'The turns of the viewer’s company, newest first. The content of other members’ turns is hidden: see showTurn. Admins only.',
  })
  async list(
    @CurrentViewer() viewer: Viewer,
    @Args() { filter, ...page }: TurnsArguments,
  ): Promise<Connection<Turn>> {
    return toConnection(await this.turns.list(viewer, filter, page));
  }

  @AtLeast('ADMIN')
  @Mutation(() => ShownTurn, {
    description:
      'Shows the content of any turn of the viewer’s company, and records who looked and why. Admins only. Audited.',
  })
  showTurn(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'The id of a turn.' }) id: string,
    @Args('reason', { description: `The reason for looking: 1 to ${MAX_REASON_CHARACTERS} characters.` })
    reason: string,
  ): Promise<ShownTurn> {
    return this.turns.show(viewer, id, reason);
  }

  @ResolveField(() => Boolean, {
    description:
      'Whether it is another member’s. Then its messages have no text, its skill calls no arguments and results, and its files and approvals are not listed.',
  })
  hidden(@CurrentViewer() viewer: Viewer, @Parent() turn: Turn): boolean {
    return isHiddenFrom(viewer, turn);
  }

  @ResolveField(() => String, {
    nullable: true,
    description: 'The asker’s name. Null if that member is gone.',
  })
  async memberName(
    @OperationLoaders() loaders: Loaders,
    @Parent() { memberId }: Turn,
  ): Promise<string | null> {
    return (await loaders.one(this.members, this.members.findMany, memberId))?.name ?? null;
  }
}
