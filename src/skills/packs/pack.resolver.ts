import { Field, InputType, Int, ObjectType, Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import type { RefusedPack } from '@palabre/skill-pack';

import { ID } from '../../common/schema/fields.js';
import { AtLeast, CurrentViewer } from '../../companies/auth/viewer-decorators.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { UploadAddress } from '../../companies/files/upload-address.model.js';
import type { IssuedUpload } from '../../companies/files/upload-tickets.service.js';
import { InstalledPacks } from './installed-packs.service.js';
import { UploadedPacks } from './uploaded-packs.service.js';

@InputType({ description: 'An archive with one pack or several, each with its SKILL.md.' })
class CreateSkillUploadInput {
  @Field(() => String, { description: 'Its file name, which ends in .zip or .skill.' })
  name!: string;

  @Field(() => Int, { description: 'Its size.' })
  bytes!: number;
}

@ObjectType({
  description:
    'Where to send an archive of packs: once, by the method and with the headers given, as the body. The answer is JSON: `skills` with the keys that were taken in, and `refused` with what was not, and why.',
})
class SkillUpload extends UploadAddress {}

@ObjectType('RefusedPack', { description: 'A folder with a SKILL.md that cannot be used.' })
class RefusedPackModel {
  @Field(() => String, { description: 'Where it is, in its folder of packs; empty: all of that.' })
  path!: string;

  @Field(() => String, { description: 'What its author can mend.' })
  reason!: string;
}

const skillKey = { description: 'The skill’s key.' };

@Resolver()
export class PackResolver {
  constructor(
    private readonly uploaded: UploadedPacks,
    private readonly installed: InstalledPacks,
  ) {}

  @AtLeast('ADMIN')
  @Mutation(() => SkillUpload, {
    description:
      'Gives an address to send an archive of SKILL.md packs to. They are the company’s own from then on, in the place of others of the same key. For admins; what comes of it is audited.',
  })
  createSkillUpload(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What is going to be sent.' }) input: CreateSkillUploadInput,
  ): Promise<IssuedUpload> {
    return this.uploaded.createUpload(viewer, input);
  }

  @AtLeast('ADMIN')
  @Mutation(() => ID, {
    description:
      'Deletes a pack that the company has uploaded, and gives its id. Where it stood in for one that ships, that one is back. For admins; audited.',
  })
  deletePack(@CurrentViewer() viewer: Viewer, @Args('key', skillKey) key: string): Promise<string> {
    return this.uploaded.remove(viewer, key);
  }

  @AtLeast('ADMIN')
  @Mutation(() => ID, { deprecationReason: 'Use deletePack.', description: 'The same as deletePack.' })
  removePack(@CurrentViewer() viewer: Viewer, @Args('key', skillKey) key: string): Promise<string> {
    return this.uploaded.remove(viewer, key);
  }

  @AtLeast('ADMIN')
  @Query(() => [RefusedPackModel], {
    description: 'What in the installation’s folders of packs cannot be used, and why. For admins.',
  })
  refusedPacks(): Promise<RefusedPack[]> {
    return this.installed.listRefused();
  }
}
