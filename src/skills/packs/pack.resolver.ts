import { Field, InputType, Int, ObjectType, Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import type { RefusedPack } from '@palabre/skill-pack';

import { ID } from '../../common/schema/fields.js';
import { AtLeast, CurrentViewer } from '../../companies/auth/viewer-decorators.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { UploadAddress } from '../../companies/files/upload-address.model.js';
import type { IssuedUpload } from '../../companies/files/upload-tickets.service.js';
import { InstalledPacks } from './installed-packs.service.js';
import { UploadedPacks } from './uploaded-packs.service.js';

@InputType({ description: 'An archive with one or more packs, each with a SKILL.md.' })
class CreateSkillUploadInput {
  @Field(() => String, { description: 'The file name, ending in .zip or .skill.' })
  name!: string;

  @Field(() => Int, { description: 'The size in bytes.' })
  bytes!: number;
}

@ObjectType({
  description:
    'Where to upload an archive of packs. Send the bytes once, as the body, with the given method and headers. The response is JSON: `skills` with the accepted keys, and `refused` with what was refused and why.',
})
class SkillUpload extends UploadAddress {}

@ObjectType('RefusedPack', { description: 'A folder with a SKILL.md that cannot be used.' })
class RefusedPackModel {
  @Field(() => String, { description: 'Its path in the folder of packs. Empty: that folder itself.' })
  path!: string;

  @Field(() => String, { description: 'What the author has to fix.' })
  reason!: string;
}

const skillKey = { description: 'The key of the skill.' };

@Resolver()
export class PackResolver {
  constructor(
    private readonly uploaded: UploadedPacks,
    private readonly installed: InstalledPacks,
  ) {}

  @AtLeast('ADMIN')
  @Mutation(() => SkillUpload, {
    description:
      'Returns an address for uploading an archive of SKILL.md packs. They become the company’s own and replace others with the same key. Admins only. The outcome is audited.',
  })
  createSkillUpload(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The file to upload.' }) input: CreateSkillUploadInput,
  ): Promise<IssuedUpload> {
    return this.uploaded.createUpload(viewer, input);
  }

  @AtLeast('ADMIN')
  @Mutation(() => ID, {
    description:
      'Deletes a pack that the company has uploaded, and returns its id. A built-in pack that it replaced becomes active again. Admins only. Audited.',
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
    description: 'The packs in the installation’s folders that cannot be used, and why. Admins only.',
  })
  refusedPacks(): Promise<RefusedPack[]> {
    return this.installed.listRefused();
  }
}
