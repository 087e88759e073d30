import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';

import { CurrentViewer } from '../../auth/current-viewer.decorator.js';
import type { Viewer } from '../../auth/viewer.js';
import { AtLeast } from '../../auth/viewer.guard.js';
import { ID } from '../../common/schema/scalars.js';
import type { IssuedUpload } from '../../files/uploads/upload-tickets.service.js';
import { InstalledSkills } from '../installed-skills.service.js';
import type { RefusedPack } from './pack-listing.js';
import { CreateSkillUploadInput, RefusedPackModel, SkillUpload } from './pack.model.js';
import { UploadedPacks } from './uploads/uploaded-packs.service.js';

@Resolver()
export class PackResolver {
  constructor(
    private readonly uploaded: UploadedPacks,
    private readonly installed: InstalledSkills,
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
      'Removes a pack that the company has uploaded, and gives its id. Where it stood in for one that ships, that one is back. For admins; audited.',
  })
  removePack(
    @CurrentViewer() viewer: Viewer,
    @Args('key', { description: 'The skill’s key.' }) key: string,
  ): Promise<string> {
    return this.uploaded.remove(viewer, key);
  }

  @AtLeast('ADMIN')
  @Query(() => [RefusedPackModel], {
    description: 'What in the installation’s folders of packs cannot be used, and why. For admins.',
  })
  refusedPacks(): Promise<RefusedPack[]> {
    return this.installed.listRefusedPacks();
  }
}
