import type { DocumentStatus } from './document-content.entity.js';
import type { Document } from './document.entity.js';

/** A document as people see it: what somebody gave, and what became of it. */
export interface DocumentView extends Pick<
  Document,
  'companyId' | 'id' | 'memberId' | 'name' | 'contentId' | 'createdAt'
> {
  /** Where its bytes are; null: they have not come. */
  storageKey: string | null;
  /** As its bytes say, once somebody has looked; until then as it was announced. */
  mediaType: string;
  /** As they came; until then as it was announced. */
  bytes: number;
  status: DocumentStatus;
  /** Why it failed, for people; null unless FAILED. */
  error: string | null;
  warnings: string[];
  /** Null: it has none, or nobody has come to its end yet. */
  pages: number | null;
  /** Null until COMPLETED. */
  passages: number | null;
  /** BCP 47; null: unknown, or not COMPLETED yet. */
  language: string | null;
  /** 0 to 1. */
  progress: number;
}

/** Whether nothing more becomes of it by itself. */
export const isOver = ({ status }: Pick<DocumentView, 'status'>): boolean =>
  status === 'COMPLETED' || status === 'FAILED';
