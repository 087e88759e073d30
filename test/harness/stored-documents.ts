import { newId } from '../../src/common/ids.js';
import type { TestApp } from './start-app.js';

/** A page of a document; on the page of no number there are none. */
export interface StoredPage {
  page: number | null;
  text: string;
  /** As many as it is said to have, so that a short text can stand for a long one. */
  tokens?: number;
}

export interface StoredDocument {
  companyId: string;
  memberId: string;
  name: string;
  pages: readonly StoredPage[];
  status?: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED';
  error?: string;
  /** Another document's, which it shares. */
  contentId?: string;
}

/** Puts a document into the database as if it had been uploaded and read, a passage a page, without being searchable. */
export function storeDocument(
  app: TestApp,
  { companyId, memberId, name, pages, status = 'COMPLETED', error, contentId = newId() }: StoredDocument,
): Promise<{ id: string; contentId: string }> {
  return app.database.transaction(companyId, async (tx) => {
    const id = newId();
    const numbers = pages.flatMap(({ page }) => page ?? []);
    await tx.query(
      `INSERT INTO document_content (company_id, id, sha256, bytes, storage_key, name, status, error, progress, pages,
         passage_count)
       VALUES ($1, $2::uuid, $9, 1, $9, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
      [
        companyId,
        contentId,
        name,
        status,
        error ?? null,
        status === 'COMPLETED' ? 1 : 0.4,
        numbers.length > 0 ? Math.max(...numbers) : null,
        pages.length,
        contentId,
      ],
    );
    await tx.query(
      `INSERT INTO document (company_id, id, member_id, name, media_type, bytes, content_id)
       VALUES ($1, $2, $3, $4, 'text/plain', 1, $5)`,
      [companyId, id, memberId, name, contentId],
    );
    let offset = 0;
    for (const [ordinal, { page, text, tokens = 50 }] of pages.entries()) {
      await tx.query(
        `INSERT INTO passage (company_id, id, content_id, ordinal, page, start_offset, end_offset, tokens, text)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
        [companyId, newId(), contentId, ordinal, page, offset, offset + text.length, tokens, text],
      );
      offset += text.length + 2;
    }
    return { id, contentId };
  });
}
