import { Args, Mutation, Parent, Query, ResolveField, Resolver, Subscription } from '@nestjs/graphql';

import { type Connection, toConnection, ForwardPageArguments } from '../common/schema/page.js';
import { ReadersLanguage } from '../common/schema/readers-language.js';
import { oncePerRow } from '../common/schema/once-per-row.js';
import { DateTime, ID } from '../common/schema/fields.js';
import { CurrentViewer } from '../companies/auth/viewer-decorators.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { DocumentContents } from './document-contents.service.js';
import { DocumentProgress } from './document-progress.service.js';
import { errorIn, warningsIn } from './document-remark.js';
import { DocumentRemoval } from './document-removal.service.js';
import type { DocumentStream } from './document-stream.js';
import type { DocumentView } from './document-view.js';
import {
  DocumentConnection,
  DocumentModel,
  CreateDocumentUploadInput,
  DocumentUploadModel,
} from './document.model.js';
import { DocumentsService } from './documents.service.js';
import { type DocumentUpload, DocumentUploads } from './upload/document-uploads.service.js';

@Resolver(() => DocumentModel)
export class DocumentResolver {
  private readonly linkOf = oncePerRow((document: DocumentView, viewer: Viewer) =>
    this.contents.linkTo(viewer, document),
  );

  constructor(
    private readonly documentsOf: DocumentsService,
    private readonly contents: DocumentContents,
    private readonly progress: DocumentProgress,
    private readonly uploads: DocumentUploads,
    private readonly removal: DocumentRemoval,
  ) {}

  @Query(() => DocumentConnection, { description: 'The company’s documents, newest first.' })
  async documents(
    @CurrentViewer() viewer: Viewer,
    @Args() page: ForwardPageArguments,
  ): Promise<Connection<DocumentView>> {
    return toConnection(await this.documentsOf.list(viewer, page));
  }

  @Query(() => DocumentModel, {
    nullable: true,
    description:
      'One of the company’s documents, or one that the viewer attached. Null if the id is unknown.',
  })
  document(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'The id of a document.' }) id: string,
  ): Promise<DocumentView | null> {
    return this.documentsOf.find(viewer, id);
  }

  @Mutation(() => DocumentUploadModel, {
    description:
      'Announces a document and returns the address for its bytes. It is processed after the upload: follow it with documentProgress.',
  })
  createDocumentUpload(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The file to upload.' }) input: CreateDocumentUploadInput,
  ): Promise<DocumentUpload> {
    return this.uploads.create(viewer, input);
  }

  @Mutation(() => ID, {
    description:
      'Deletes a document for good, with its bytes and its search index, and returns its id. For the uploader, and for admins unless it belongs to a conversation. Audited.',
  })
  deleteDocument(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'The id of a document.' }) id: string,
  ): Promise<string> {
    return this.removal.remove(viewer, id);
  }

  @Subscription(() => DocumentModel, {
    description:
      'The status of a document: now, and after each change. Progress never decreases. It completes after COMPLETED or FAILED, and if the document is deleted.',
    resolve: (view: DocumentView) => view,
  })
  documentProgress(
    @CurrentViewer() viewer: Viewer,
    @Args('documentId', { type: () => ID, description: 'The id of a document.' }) documentId: string,
  ): Promise<DocumentStream> {
    return this.progress.follow(viewer, documentId);
  }

  @ResolveField(() => String, {
    nullable: true,
    description:
      'A link to the file, valid until urlExpiresAt. Anyone can open it without a token. Null until its bytes are uploaded. Query again for a new one.',
  })
  url(@CurrentViewer() viewer: Viewer, @Parent() document: DocumentView): string | null {
    return this.linkOf(document, viewer)?.url ?? null;
  }

  @ResolveField(() => String, {
    nullable: true,
    description: 'Why it failed and how to fix it, for people. Null unless FAILED.',
  })
  error(@Parent() document: DocumentView, @ReadersLanguage() language: string): string | null {
    return errorIn(document, language);
  }

  @ResolveField(() => [String], {
    description: 'What was lost or is doubtful, for people, such as pages without text. Empty if nothing.',
  })
  warnings(@Parent() document: DocumentView, @ReadersLanguage() language: string): string[] {
    return warningsIn(document, language);
  }

  @ResolveField(() => DateTime, { nullable: true, description: 'When url expires. Null without one.' })
  urlExpiresAt(@CurrentViewer() viewer: Viewer, @Parent() document: DocumentView): Date | null {
    return this.linkOf(document, viewer)?.expiresAt ?? null;
  }
}
