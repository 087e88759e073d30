import type { DocumentRemarks } from './document-remark.js';
import type { DocumentStatus } from './document-content.repository.js';
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
