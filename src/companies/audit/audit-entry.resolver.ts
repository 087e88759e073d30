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
import { AuditList } from './audit-list.service.js';
import { MembersService } from '../members/members.service.js';

@ObjectType('AuditEntry', {
  implements: () => [Node],
  description: 'A change that somebody made: who, what and when. It stays as it is.',
})
class AuditEntryModel extends Node {
  @Field(() => ID, {
    description: 'The member who did it; all zeros for one who is gone, and for what a connected server did.',
  })
  memberId!: string;

  @Field(() => String, { description: 'What was done, as noun.verb: skill.activated.' })
  action!: string;

  @Field(() => String, { description: 'What it was done to, such as a skill’s key.' })
  subject!: string;

  @Field(() => Json, {
    description: 'What it was changed to, and in `before`, where it is kept, from what; never a secret.',
  })
  details!: JsonObject;

  @Field(() => DateTime, { description: 'When it was done.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A page of the audit, newest first.' })
class AuditEntryConnection extends connectionOf(AuditEntryModel, 'AuditEntry') {}

@InputType({ description: 'Which changes are listed: those that meet all of it.' })
class AuditFilter {
  @Nullable(() => String, 'They were made to this kind of thing, the noun of their action: skill, api-key.')
  noun?: string | null;

  @Nullable(() => ID, 'This member made them.')
  memberId?: string | null;

  @Nullable(() => DateTime, 'They were made then or later.')
  from?: Date | null;

  @Nullable(() => DateTime, 'They were made before.')
  to?: Date | null;
}

@ArgsType()
class AuditArguments extends ForwardPageArguments {
  @Nullable(() => AuditFilter, 'Which are listed. Null: all.')
  filter?: AuditFilter | null;
}

@Resolver(() => AuditEntryModel)
export class AuditEntryResolver {
  constructor(
    private readonly entries: AuditList,
    private readonly members: MembersService,
  ) {}

  @AtLeast('ADMIN')
  @Query(() => AuditEntryConnection, {
    description: 'What was changed in the viewer’s company, newest first. For admins.',
  })
  async auditEntries(
    @CurrentViewer() viewer: Viewer,
    @Args() { filter, ...page }: AuditArguments,
  ): Promise<Connection<AuditEntry>> {
    return toConnection(await this.entries.list(viewer, filter, page));
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
