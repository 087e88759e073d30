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

  @Query(() => DocumentConnection, { description: 'All of the company’s, newest first.' })
  async documents(
    @CurrentViewer() viewer: Viewer,
    @Args() page: ForwardPageArguments,
  ): Promise<Connection<DocumentView>> {
    return toConnection(await this.documentsOf.list(viewer, page));
  }

  @Query(() => DocumentModel, {
    nullable: true,
    description: 'One of the company’s, or that the viewer has attached; null when there is none of that id.',
  })
  document(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'A document’s id.' }) id: string,
  ): Promise<DocumentView | null> {
    return this.documentsOf.find(viewer, id);
  }

  @Mutation(() => DocumentUploadModel, {
    description:
      'Announces a document, and says where its bytes are to be sent. It is read once they have come: follow it by documentProgress.',
  })
  createDocumentUpload(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What is going to be sent.' }) input: CreateDocumentUploadInput,
  ): Promise<DocumentUpload> {
    return this.uploads.create(viewer, input);
  }

  @Mutation(() => ID, {
    description:
      'Deletes a document for good, with its bytes and all that is found of it, and gives its id. For whoever uploaded it, and for admins unless it belongs to a conversation; audited.',
  })
  deleteDocument(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'A document’s id.' }) id: string,
  ): Promise<string> {
    return this.removal.remove(viewer, id);
  }

  @Subscription(() => DocumentModel, {
    description:
      'How a document stands: at once, and whenever that changes. Progress never falls. It completes after COMPLETED or FAILED, and when the document is deleted.',
    resolve: (view: DocumentView) => view,
  })
  documentProgress(
    @CurrentViewer() viewer: Viewer,
    @Args('documentId', { type: () => ID, description: 'A document’s id.' }) documentId: string,
  ): Promise<DocumentStream> {
    return this.progress.follow(viewer, documentId);
  }

  @ResolveField(() => String, {
    nullable: true,
    description:
      'Gives the file to whoever opens it, without a token, until urlExpiresAt; null until its bytes have come. Ask again for another one.',
  })
  url(@CurrentViewer() viewer: Viewer, @Parent() document: DocumentView): string | null {
    return this.linkOf(document, viewer)?.url ?? null;
  }

  @ResolveField(() => String, {
    nullable: true,
    description: 'Why it failed and what can be done, for people; null unless FAILED.',
  })
  error(@Parent() document: DocumentView, @ReadersLanguage() language: string): string | null {
    return errorIn(document, language);
  }

  @ResolveField(() => [String], {
    description: 'What was lost or is doubtful, for people, such as pages without text; empty: nothing.',
  })
  warnings(@Parent() document: DocumentView, @ReadersLanguage() language: string): string[] {
    return warningsIn(document, language);
  }

  @ResolveField(() => DateTime, { nullable: true, description: 'When url ends; null without one.' })
  urlExpiresAt(@CurrentViewer() viewer: Viewer, @Parent() document: DocumentView): Date | null {
    return this.linkOf(document, viewer)?.expiresAt ?? null;
  }
}
