import { Args, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import { oncePerRow } from '../../common/schema/once-per-row.js';
import { DateTime, ID } from '../../common/schema/fields.js';
import { ReadersLanguage } from '../../common/schema/readers-language.js';
import { AtLeast, CurrentViewer } from '../../companies/auth/viewer-decorators.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { DocumentContents } from '../document-contents.service.js';
import type { DocumentScope as ScopeName } from '../document.entity.js';
import type { DocumentView } from '../document-view.js';
import { DocumentModel, DocumentScope } from '../document.model.js';
import { errorIn } from '../document-remark.js';
import { DocumentsService } from '../documents.service.js';
import { type Attachment, Attachments } from './attachments.service.js';
import { AttachmentModel } from './attachment.model.js';
import { DocumentSharing } from './document-sharing.service.js';

@Resolver(() => AttachmentModel)
export class AttachmentResolver {
  private readonly linkOf = oncePerRow((attachment: Attachment, viewer: Viewer) =>
    this.contents.linkTo(viewer, { ...attachment, id: attachment.documentId }),
  );

  constructor(
    private readonly attachments: Attachments,
    private readonly documents: DocumentsService,
    private readonly contents: DocumentContents,
    private readonly sharing: DocumentSharing,
  ) {}

  @Query(() => AttachmentModel, {
    nullable: true,
    description: 'One of the viewer’s own. Null if the id is unknown.',
  })
  attachment(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'The id of an attachment.' }) id: string,
  ): Promise<Attachment | null> {
    return this.attachments.find(viewer, id);
  }

  @AtLeast('ADMIN')
  @Mutation(() => DocumentModel, {
    description:
      'Shares a document that the viewer attached to a conversation with the company, or stops sharing it. It is processed again for its new readers. Admins only. Audited.',
  })
  updateDocument(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'The id of a document.' }) id: string,
    @Args('scope', {
      type: () => DocumentScope,
      description: 'Who can find it. CONVERSATION is only for documents attached to one.',
    })
    scope: ScopeName,
  ): Promise<DocumentView> {
    return this.sharing.update(viewer, id, scope);
  }

  @ResolveField(() => DocumentModel, {
    nullable: true,
    description: 'For a DOCUMENT: its pages, warnings and progress. Null for an image.',
  })
  document(
    @CurrentViewer() viewer: Viewer,
    @Parent() { kind, documentId }: Attachment,
  ): Promise<DocumentView | null> {
    return kind === 'DOCUMENT' ? this.documents.find(viewer, documentId) : Promise.resolve(null);
  }

  @ResolveField(() => String, {
    nullable: true,
    description:
      'A link to the file, valid until urlExpiresAt. Anyone can open it without a token. Null until its bytes are uploaded. Query again for a new one.',
  })
  url(@CurrentViewer() viewer: Viewer, @Parent() attachment: Attachment): string | null {
    return this.linkOf(attachment, viewer)?.url ?? null;
  }

  @ResolveField(() => String, {
    nullable: true,
    description: 'Why it failed and how to fix it, for people. Null unless FAILED.',
  })
  error(@Parent() attachment: Attachment, @ReadersLanguage() language: string): string | null {
    return errorIn(attachment, language);
  }

  @ResolveField(() => DateTime, { nullable: true, description: 'When url expires. Null without one.' })
  urlExpiresAt(@CurrentViewer() viewer: Viewer, @Parent() attachment: Attachment): Date | null {
    return this.linkOf(attachment, viewer)?.expiresAt ?? null;
  }
}
