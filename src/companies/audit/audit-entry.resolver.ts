import {
  Args,
  ArgsType,
  Field,
  InputType,
  ObjectType,
  Parent,
  Query,
  ResolveField,
  Resolver,
} from '@nestjs/graphql';
import type { JsonObject } from '@palabre/json';

import { AtLeast, CurrentViewer, OperationLoaders } from '../auth/viewer-decorators.js';
import type { Loaders } from '../auth/graphql-context.js';
import type { Viewer } from '../auth/viewer.js';
import {
  type Connection,
  connectionOf,
  toConnection,
  ForwardPageArguments,
} from '../../common/schema/page.js';
import { Nullable, Node, DateTime, ID, Json } from '../../common/schema/fields.js';
import type { AuditEntry } from './audit.repository.js';
import { AuditService } from './audit.service.js';
import { MembersService } from '../members/members.service.js';

@ObjectType('AuditEntry', {
  implements: () => [Node],
  description: 'A record of one change: who, what and when. It is never edited.',
})
class AuditEntryModel extends Node {
  @Field(() => ID, {
    description: 'The member who made it. All zeros if they are gone, or if a connected server made it.',
  })
  memberId!: string;

  @Field(() => String, { description: 'The action, as noun.verb: skill.activated.' })
  action!: string;

  @Field(() => String, { description: 'What was changed, such as the key of a skill.' })
  subject!: string;

  @Field(() => Json, {
    description: 'The new value, and in `before` the old value if it is stored. Never contains secrets.',
  })
  details!: JsonObject;

  @Field(() => DateTime, { description: 'When the change was made.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of audit entries, newest first.' })
class AuditEntryConnection extends connectionOf(AuditEntryModel, 'AuditEntry') {}

@InputType({ description: 'Selects audit entries. All given conditions must hold.' })
class AuditFilter {
  @Nullable(() => String, 'The noun of the action: skill, api-key.')
  noun?: string | null;

  @Nullable(() => ID, 'Changes made by this member.')
  memberId?: string | null;

  @Nullable(() => DateTime, 'Changes made at this time or later.')
  from?: Date | null;

  @Nullable(() => DateTime, 'Changes made before this time.')
  to?: Date | null;
}

@ArgsType()
class AuditArguments extends ForwardPageArguments {
  @Nullable(() => AuditFilter, 'Selects the items. Null: all.')
  filter?: AuditFilter | null;
}

@Resolver(() => AuditEntryModel)
export class AuditEntryResolver {
  constructor(
    private readonly entries: AuditService,
    private readonly members: MembersService,
  ) {}

  @AtLeast('ADMIN')
  @Query(() => AuditEntryConnection, {
    description: 'The changes in the viewer’s company, newest first. Admins only.',
  })
  async auditEntries(
    @CurrentViewer() viewer: Viewer,
    @Args() { filter, ...page }: AuditArguments,
  ): Promise<Connection<AuditEntry>> {
    return toConnection(await this.entries.list(viewer, filter, page));
  }

  @ResolveField(() => String, {
    nullable: true,
    description: 'The member’s name. Null if the member is gone.',
  })
  async memberName(
    @OperationLoaders() loaders: Loaders,
    @Parent() { memberId }: AuditEntry,
  ): Promise<string | null> {
    return (await loaders.one(this.members, this.members.findMany, memberId))?.name ?? null;
  }
}
