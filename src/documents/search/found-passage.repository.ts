import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../platform/database/transaction.js';
import type { Passage } from '../passages/passage.repository.js';

/** A visible passage, and a document with it. */
export type ReadPassage = Omit<Passage, 'companyId'> & { documentId: string; documentName: string };

/** Reads the hits of a search that may be shown: those of documents that exist and were read completely. */
@Injectable()
export class FoundPassageRepository {
  /** The searchable contents of these documents of the company and of attachments. */
  async listContentIds(
    tx: Transaction,
    documentIds: readonly string[],
    attached: readonly string[],
  ): Promise<string[]> {
    return tx.ids(
      `SELECT DISTINCT content.id FROM unnest($2::uuid[]) AS wanted (id)
       CROSS JOIN LATERAL (
         SELECT content_id FROM document
         WHERE company_id = $1 AND id = wanted.id AND (scope = 'COMPANY' OR id = ANY ($3)) OFFSET 0) AS document
       CROSS JOIN LATERAL (
         SELECT id FROM document_content
         WHERE company_id = $1 AND id = document.content_id AND status = 'COMPLETED' OFFSET 0) AS content`,
      [tx.companyId, [...documentIds, ...attached], attached],
    );
  }

  /**
   * Passages by id, in no order. Of documents with the same content, the oldest one of `attached` and `documentIds`
   * (null: all of the company's) is named. Each step is bound to the previous row, because a planner without
   * statistics would read whole tables.
   */
  list(
    tx: Transaction,
    ids: readonly string[],
    documentIds: readonly string[] | null,
    attached: readonly string[],
  ): Promise<ReadPassage[]> {
    return tx.query(
      `SELECT found.*, document.id AS "documentId", document.name AS "documentName"
       FROM unnest($2::uuid[]) AS wanted (id)
       CROSS JOIN LATERAL (
         SELECT id, content_id AS "contentId", ordinal, page, page_breaks AS "pageBreaks", headings, start_offset AS "startOffset",
           end_offset AS "endOffset", tokens, language, text
         FROM passage WHERE company_id = $1 AND id = wanted.id OFFSET 0) AS found
       CROSS JOIN LATERAL (
         SELECT FROM document_content
         WHERE company_id = $1 AND id = found."contentId" AND status = 'COMPLETED' OFFSET 0) AS content
       CROSS JOIN LATERAL (
         SELECT id, name FROM document
         WHERE company_id = $1 AND content_id = found."contentId" AND (id = ANY ($4)
           OR scope = 'COMPANY' AND ($3::uuid[] IS NULL OR id = ANY ($3)))
         ORDER BY created_at, id LIMIT 1) AS document`,
      [tx.companyId, ids, documentIds, attached],
    );
  }
}
