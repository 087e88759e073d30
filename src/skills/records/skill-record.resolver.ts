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

  @Nullable(() => String, 'Gives all versions of this subject. Left out: the newest version of each.')
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
    description: 'What skills have found out for the viewer’s company, such as its footprints, newest first.',
  })
  async skillRecords(
    @CurrentViewer() viewer: Viewer,
    @Args() { subject, ...wanted }: SkillRecordsArguments,
  ): Promise<Connection<SkillRecord>> {
    return toConnection(await this.records.list(viewer, { ...wanted, subject: subject ?? null }));
  }

  @Query(() => [SkillRecordKind], {
    complexity: listCost(USUAL_KINDS),
    description: 'The kinds of results that the installation’s packages keep.',
  })
  skillRecordKinds(): SkillRecordKind[] {
    return this.records.listKinds();
  }

  @AtLeast('ADMIN')
  @Mutation(() => ID, {
    description:
      'Removes a record with all versions of its subject, for good. For admins; audited. Gives its id.',
  })
  async deleteSkillRecord(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'The id of one of its versions.' }) id: string,
  ): Promise<string> {
    await this.records.remove(viewer, id);
    return id;
  }

  @ResolveField(() => String, {
    nullable: true,
    description: 'The name of the member who had this version made; null: they are gone.',
  })
  async memberName(
    @OperationLoaders() loaders: Loaders,
    @Parent() { memberId }: SkillRecord,
  ): Promise<string | null> {
    if (memberId === null) return null;
    return (await loaders.one(this.members, this.members.findMany, memberId))?.name ?? null;
  }
}
