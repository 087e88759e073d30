import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { CreatedRow } from '../platform/database/rows.js';

/** An image is shown to models, and never listed among documents. */
export type AttachmentKind = 'IMAGE' | 'DOCUMENT';

/** Who may find it: the company, or its uploader in one conversation. */
export type DocumentScope = 'COMPANY' | 'CONVERSATION';

/** A file that was uploaded under a name. Documents of one owner with the same bytes share one content. */
@Entity()
@Index('document_of_content', ['companyId', 'contentId'])
@Index('document_member', ['companyId', 'memberId', 'id'])
// For finding documents of all companies whose bytes never arrived.
@Index('document_awaited', ['createdAt'], { where: `"content_id" IS NULL AND "upload_error" IS NULL` })
@Index('document_attachment', ['companyId', 'attachmentId'], {
  unique: true,
  where: `"attachment_id" IS NOT NULL`,
})
@Index('document_of_conversation', ['companyId', 'conversationId'], {
  where: `"conversation_id" IS NOT NULL`,
})
// For removing attachments of all companies that no question was asked with.
@Index('document_unattached', ['createdAt'], {
  where: `"scope" = 'CONVERSATION' AND "conversation_id" IS NULL`,
})
// Without a cascade, because removing attachments also removes bytes and passages.
@ForeignKey('Conversation', ['companyId', 'conversationId'], ['companyId', 'id'])
@ForeignKey('DocumentContent', ['companyId', 'contentId'], ['companyId', 'id'])
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class Document extends CreatedRow {
  /** The uploader; NOBODY after that member was removed. No foreign key, as the document outlives the member. */
  @Column('uuid')
  memberId!: string;

  /** The file name given by the uploader, with its extension. */
  @Column('text')
  name!: string;

  /** As announced. */
  @Column('text')
  mediaType!: string;

  /** As announced; the real size once the bytes have arrived. */
  @Column('integer')
  bytes!: number;

  /** Null until its bytes have arrived. */
  @Column('uuid', { nullable: true })
  contentId!: string | null;

  /** Why its bytes never arrived, the code of a remark or English; null: they have arrived or are still expected. */
  @Column('text', { nullable: true })
  uploadError!: string | null;

  /** Its id as an attachment, also after it was shared with the company; null: it was uploaded for the company. */
  @Column('uuid', { nullable: true })
  attachmentId!: string | null;

  @Column('text', { default: 'DOCUMENT' })
  kind!: AttachmentKind;

  @Column('text', { default: 'COMPANY' })
  scope!: DocumentScope;

  /** The conversation that it is attached to; null: none yet, or it was uploaded for the company. */
  @Column('uuid', { nullable: true })
  conversationId!: string | null;
}
