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
    description: 'Removes one of the viewer’s own, for good; links to it lead nowhere then. Gives its id.',
  })
  async deleteFile(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'A file’s id.' }) id: string,
  ): Promise<string> {
    await this.stored.remove(viewer, id);
    return id;
  }

  @ResolveField(() => FileKind, { description: 'What it is.' })
  kindValue(@Parent() { kind }: StoredFile): StoredFile['kind'] {
    return kind;
  }

  @ResolveField(() => String, {
    description:
      'Gives the file to whoever opens it, without a token, until urlExpiresAt. Ask again for another one.',
  })
  url(@Parent() file: StoredFile): string {
    return this.linkOf(file).url;
  }

  @ResolveField(() => DateTime, { description: 'When url ends.' })
  urlExpiresAt(@Parent() file: StoredFile): Date {
    return this.linkOf(file).expiresAt;
  }
}
