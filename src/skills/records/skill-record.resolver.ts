import { Args, ArgsType, Field, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import { type Connection, toConnection, ForwardPageArguments } from '../../common/schema/page.js';
import { listCost } from '../../common/schema/cost.js';
import { Nullable, ID } from '../../common/schema/fields.js';
import { AtLeast, CurrentViewer, OperationLoaders } from '../../companies/auth/viewer-decorators.js';
import type { Loaders } from '../../companies/auth/graphql-context.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { MembersService } from '../../companies/members/members.service.js';
import type { SkillRecord } from './skill-record.repository.js';
import { SkillRecordConnection, SkillRecordKind, SkillRecordModel } from './skill-record.model.js';
import { SkillRecords } from './skill-records.service.js';

@ArgsType()
class SkillRecordsArguments extends ForwardPageArguments {
  @Field(() => String, { description: 'One of skillRecordKinds.' })
  kind!: string;

  @Nullable(() => String, 'All versions of this subject. If omitted, the newest version of each.')
  subject?: string | null;
}

const USUAL_KINDS = 5;

@Resolver(() => SkillRecordModel)
export class SkillRecordResolver {
  constructor(
    private readonly records: SkillRecords,
    private readonly members: MembersService,
  ) {}

  @Query(() => SkillRecordConnection, {
    description: 'The results that skills have stored for the viewer’s company, newest first.',
  })
  async skillRecords(
    @CurrentViewer() viewer: Viewer,
    @Args() { subject, ...wanted }: SkillRecordsArguments,
  ): Promise<Connection<SkillRecord>> {
    return toConnection(await this.records.list(viewer, { ...wanted, subject: subject ?? null }));
  }

  @Query(() => [SkillRecordKind], {
    complexity: listCost(USUAL_KINDS),
    description: 'The kinds of results that the installation’s packages store.',
  })
  skillRecordKinds(): SkillRecordKind[] {
    return this.records.listKinds();
  }

  @AtLeast('ADMIN')
  @Mutation(() => ID, {
    description:
      'Deletes a record for good, with all versions of its subject, and returns its id. Admins only. Audited.',
  })
  async deleteSkillRecord(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'The id of any version.' }) id: string,
  ): Promise<string> {
    await this.records.remove(viewer, id);
    return id;
  }

  @ResolveField(() => String, {
    nullable: true,
    description: 'The member for whom this version was made. Null if they are gone.',
  })
  async memberName(
    @OperationLoaders() loaders: Loaders,
    @Parent() { memberId }: SkillRecord,
  ): Promise<string | null> {
    if (memberId === null) return null;
    return (await loaders.one(this.members, this.members.findMany, memberId))?.name ?? null;
  }
}
