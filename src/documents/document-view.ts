import type { DocumentStatus } from './document-content.repository.js';
import type { DocumentRemarks } from './document-remark.js';
import type { Document } from './document.entity.js';

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
  /** Error and warnings in a form for any language. Null: unknown. */
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

/** Whether the processing of a document, or an analysis of it, has ended. */
export function isOver({ status }: { status: string }): boolean {
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
