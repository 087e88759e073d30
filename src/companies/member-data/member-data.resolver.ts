import { Args, Mutation, Resolver } from '@nestjs/graphql';

import { CurrentViewer } from '../../auth/current-viewer.decorator.js';
import type { Viewer } from '../../auth/viewer.js';
import { AtLeast } from '../../auth/viewer.guard.js';
import { MAX_COST } from '../../common/schema/cost.js';
import { ID } from '../../common/schema/scalars.js';
import { FileModel } from '../../files/file.model.js';
import type { StoredFile } from '../../files/stored-file.entity.js';
import { MemberErasure } from './member-erasure.service.js';
import { MemberExport } from './member-export.service.js';

/** It reads all that there is of somebody. */
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
  eraseMember(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'The member’s id.' }) id: string,
  ): Promise<string> {
    return this.erasure.begin(viewer, id);
  }
}
