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
    description: 'One of the viewer’s own; null when there is none of that id.',
  })
  attachment(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'An attachment’s id.' }) id: string,
  ): Promise<Attachment | null> {
    return this.attachments.find(viewer, id);
  }

  @AtLeast('ADMIN')
  @Mutation(() => DocumentModel, {
    description:
      'Shares a document that the viewer has attached to a conversation with the company, or takes that back. It is read anew for those who find it then. For admins; audited.',
  })
  updateDocument(
    @CurrentViewer() viewer: Viewer,
    @Args('id', { type: () => ID, description: 'A document’s id.' }) id: string,
    @Args('scope', {
      type: () => DocumentScope,
      description: 'Who is to find it. CONVERSATION only for what was attached to one.',
    })
    scope: ScopeName,
  ): Promise<DocumentView> {
    return this.sharing.update(viewer, id, scope);
  }

  @ResolveField(() => DocumentModel, {
    nullable: true,
    description: 'Of a DOCUMENT: pages, warnings, progress. Null for an image.',
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
      'Gives the file to whoever opens it, without a token, until urlExpiresAt; null until its bytes have come. Ask again for another one.',
  })
  url(@CurrentViewer() viewer: Viewer, @Parent() attachment: Attachment): string | null {
    return this.linkOf(attachment, viewer)?.url ?? null;
  }

  @ResolveField(() => String, {
    nullable: true,
    description: 'Why it failed and what can be done, for people; null unless FAILED.',
  })
  error(@Parent() attachment: Attachment, @ReadersLanguage() language: string): string | null {
    return errorIn(attachment, language);
  }

  @ResolveField(() => DateTime, { nullable: true, description: 'When url ends; null without one.' })
  urlExpiresAt(@CurrentViewer() viewer: Viewer, @Parent() attachment: Attachment): Date | null {
    return this.linkOf(attachment, viewer)?.expiresAt ?? null;
  }
}
