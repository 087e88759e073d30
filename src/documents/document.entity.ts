import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { CreatedRow } from '../platform/database/rows.js';
import type { DocumentStatus } from './document-content.repository.js';
import type { DocumentRemarks } from './document-remark.js';

/** An image is shown to models, and never listed among documents. */
export type AttachmentKind = 'IMAGE' | 'DOCUMENT';

/** Who finds it: all of the company, or its uploader alone in one conversation. */
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
// Without a cascade: a conversation's attachments have more to them than their rows.
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

/** A document as people see it: the upload and the state of its content. */
export interface DocumentView extends Pick<
  Document,
  | 'companyId'
  | 'id'
  | 'memberId'
  | 'name'
  | 'attachmentId'
  | 'kind'
  | 'scope'
  | 'conversationId'
  | 'contentId'
  | 'createdAt'
> {
  /** Where its bytes are stored; null: they have not arrived. */
  storageKey: string | null;
  /** Detected from the bytes; until then as announced. */
  mediaType: string;
  /** The real size; until the bytes arrive, the announced one. */
  bytes: number;
  status: DocumentStatus;
  /** Why it failed, in English or as a code; null unless FAILED. See errorIn. */
  error: string | null;
  /** In English. See warningsIn. */
  warnings: string[];
  /** Both for any language; null: not known. */
  remarks: DocumentRemarks | null;
  /** Null: it has none, or it was not read to the end yet. */
  pages: number | null;
  /** Null until COMPLETED. */
  passages: number | null;
  /** BCP 47; null: unknown, or not COMPLETED yet. */
  language: string | null;
  /** 0 to 1. */
  progress: number;
}

/** Whether its processing has ended. */
export function isOver({ status }: Pick<DocumentView, 'status'>): boolean {
  return status === 'COMPLETED' || status === 'FAILED';
}

/** A single statement, as the content could be deleted between two. */
export const VIEWS = `
  SELECT document.company_id AS "companyId", document.id, document.member_id AS "memberId", document.name,
    document.attachment_id AS "attachmentId", document.kind, document.scope,
    document.conversation_id AS "conversationId", document.content_id AS "contentId", document.created_at AS "createdAt", content.storage_key AS "storageKey",
    COALESCE(content.media_type, document.media_type) AS "mediaType",
    COALESCE(content.bytes, document.bytes) AS bytes,
    COALESCE(content.status, CASE WHEN document.upload_error IS NULL THEN 'PENDING' ELSE 'FAILED' END) AS status,
    COALESCE(content.error, document.upload_error) AS error,
    COALESCE(content.warnings, '[]') AS warnings,
    content.remarks,
    content.pages,
    CASE content.status WHEN 'COMPLETED' THEN content.passage_count END AS passages,
    CASE content.status WHEN 'COMPLETED' THEN content.language END AS language,
    COALESCE(content.progress, 0) AS progress
  FROM document LEFT JOIN document_content AS content
    ON content.company_id = $1 AND content.id = document.content_id
  WHERE document.company_id = $1`;
