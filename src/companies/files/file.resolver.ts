import { Args, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import { CurrentViewer } from '../auth/viewer-decorators.js';
import type { Viewer } from '../auth/viewer.js';
import { type Connection, toConnection, ForwardPageArguments } from '../../common/schema/page.js';
import { oncePerRow } from '../../common/schema/once-per-row.js';
import { DateTime, ID } from '../../common/schema/fields.js';
import { FileConnection, FileKind, FileModel } from './file.model.js';
import type { StoredFile } from './stored-file.entity.js';
import { StoredFilesService } from './stored-files.service.js';

@Resolver(() => FileModel)
export class FileResolver {
  private readonly linkOf = oncePerRow((file: StoredFile) => this.stored.linkTo(file));

  constructor(private readonly stored: StoredFilesService) {}

  @Query(() => FileConnection, { description: 'The viewer’s own, newest first.' })
  async files(
    @CurrentViewer() viewer: Viewer,
    @Args() page: ForwardPageArguments,
  ): Promise<Connection<StoredFile>> {
    return toConnection(await this.stored.list(viewer, page));
  }

  @Mutation(() => ID, {
    description: 'Deletes one of the viewer’s files for good and returns its id. Links to it stop working.',
  })
  async deleteFile(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'The id of a file.' }) id: string,
  ): Promise<string> {
    await this.stored.remove(viewer, id);
    return id;
  }

  @ResolveField(() => FileKind, { description: 'Its type.' })
  kindValue(@Parent() { kind }: StoredFile): StoredFile['kind'] {
    return kind;
  }

  @ResolveField(() => String, {
    description:
      'A link to the file, valid until urlExpiresAt. Anyone can open it without a token. Query again for a new one.',
  })
  url(@Parent() file: StoredFile): string {
    return this.linkOf(file).url;
  }

  @ResolveField(() => DateTime, { description: 'When url expires.' })
  urlExpiresAt(@Parent() file: StoredFile): Date {
    return this.linkOf(file).expiresAt;
  }
}
