import { Injectable } from '@nestjs/common';

import { isId } from '../common/ids.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../common/schema/page.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { Database } from '../platform/database/database.js';
import type { Transaction } from '../platform/database/transaction.js';
import type { DocumentView } from './document-view.js';
import { documentOrder, DocumentRepository } from './document.repository.js';

/** Documents for members: all of the company's, and their own attachments. Attachments are found only by id. */
@Injectable()
export class DocumentsService {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentRepository,
  ) {}

  async find(
    { companyId, id: memberId }: Pick<Viewer, 'companyId' | 'id'>,
    id: string,
  ): Promise<DocumentView | null> {
    if (!isId(id)) return null;
    const view = await this.database.read(companyId, (tx) => this.documents.findViewFor(tx, memberId, id));
    return view?.kind === 'DOCUMENT' ? view : null;
  }

  list({ companyId }: Viewer, page: ForwardPageArguments): Promise<Page<DocumentView>> {
    const request = pageRequest(page, documentOrder);
    return this.database.read(companyId, async (tx) => {
      const { rows, ...page } = await this.documents.list(tx, request);
      const views = await this.documents.findViews(
        tx,
        rows.map(({ id }) => id),
      );
      const byId = new Map(views.map((view) => [view.id, view]));
      // Some may have been deleted meanwhile.
      const found = rows.flatMap(({ id }) => byId.get(id) ?? []);
      return { ...page, rows: found, keyOf: documentOrder.keyOf };
    });
  }

  /** Whether the company has any searchable document, and whether anything is attached to the conversation. */
  whatIsThere(tx: Transaction, conversationId: string): ReturnType<DocumentRepository['whatIsThere']> {
    return this.documents.whatIsThere(tx, conversationId);
  }

  /** The company's documents with these ids, and those in `attached`, in no order, without unknown ids. */
  async findMany(
    tx: Transaction,
    ids: readonly string[],
    attached: readonly string[] = [],
  ): Promise<DocumentView[]> {
    const known = [...ids, ...attached].filter(isId);
    return known.length === 0 ? [] : this.documents.findViews(tx, known, attached);
  }
}
