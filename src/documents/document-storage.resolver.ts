import { Args, Field, Int, ObjectType, Query, Resolver } from '@nestjs/graphql';

import { ID, SafeInt } from '../common/schema/fields.js';
import { CurrentViewer } from '../companies/auth/viewer-decorators.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { DocumentStorage, type DocumentStorageView } from './document-storage.service.js';

@ObjectType('DocumentStorage', {
  description: 'What documents take up, and what they may. A document beyond it is refused: CONFLICT.',
})
export class DocumentStorageModel implements DocumentStorageView {
  @Field(() => Int, { description: 'How many there are, also those that failed or wait for their bytes.' })
  documents!: number;

  @Field(() => SafeInt, {
    description:
      'Their bytes: of those that have come, and of those that were announced and are waited for. What was uploaded twice is counted twice.',
  })
  bytes!: number;

  @Field(() => Int, { description: 'How many there may be.' })
  maxDocuments!: number;

  @Field(() => SafeInt, { description: 'How many bytes they may have together.' })
  maxBytes!: number;
}

@Resolver()
export class DocumentStorageResolver {
  constructor(private readonly storage: DocumentStorage) {}

  @Query(() => DocumentStorageModel, {
    description:
      'The room of the company’s documents, for admins; or of one member’s, for admins and that member.',
  })
  documentStorage(
    @CurrentViewer() viewer: Viewer,
    @Args('memberId', {
      type: () => ID,
      nullable: true,
      description: 'Whose documents; left out: all of the company’s.',
    })
    memberId: string | null,
  ): Promise<DocumentStorageView> {
    return this.storage.find(viewer, memberId ?? null);
  }
}
