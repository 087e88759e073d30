import { Args, Field, Int, ObjectType, Query, Resolver } from '@nestjs/graphql';

import { ID, SafeInt } from '../common/schema/fields.js';
import { CurrentViewer } from '../companies/auth/viewer-decorators.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { DocumentStorage, type DocumentStorageView } from './document-storage.service.js';

@ObjectType('DocumentStorage', {
  description: 'The storage that documents use, and its limits. A document beyond them is refused: CONFLICT.',
})
export class DocumentStorageModel implements DocumentStorageView {
  @Field(() => Int, { description: 'The number of documents, including failed and announced ones.' })
  documents!: number;

  @Field(() => SafeInt, {
    description: 'The size in bytes of all documents, including announced ones. Duplicates count twice.',
  })
  bytes!: number;

  @Field(() => Int, { description: 'The limit on documents.' })
  maxDocuments!: number;

  @Field(() => SafeInt, { description: 'The limit on bytes.' })
  maxBytes!: number;
}

@Resolver()
export class DocumentStorageResolver {
  constructor(private readonly storage: DocumentStorage) {}

  @Query(() => DocumentStorageModel, {
    description:
      'The document storage of the company, for admins. Or of one member, for admins and that member.',
  })
  documentStorage(
    @CurrentViewer() viewer: Viewer,
    @Args('memberId', {
      type: () => ID,
      nullable: true,
      description: 'Whose documents to count. Default: the whole company.',
    })
    memberId: string | null,
  ): Promise<DocumentStorageView> {
    return this.storage.find(viewer, memberId ?? null);
  }
}
