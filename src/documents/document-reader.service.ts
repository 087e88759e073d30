import { Injectable } from '@nestjs/common';

import { notFound } from '../common/errors/domain-error.js';
import { isId } from '../common/ids.js';
import type { Transaction } from '../platform/database/transaction.js';
import type { DocumentView } from './document-view.js';
import { DocumentRepository } from './document.repository.js';

/** A company's documents, for other features. All members of a company see all of its documents. */
@Injectable()
export class DocumentReader {
  constructor(private readonly documents: DocumentRepository) {}

  /** Whether the company has any searchable document. */
  hasSearchable(tx: Transaction): Promise<boolean> {
    return this.documents.hasCompleted(tx);
  }

  /** Rejects with NOT_FOUND, which names `input.documentIds`, unless the company has all of them. */
  async requireMany(tx: Transaction, ids: readonly string[]): Promise<void> {
    const distinct = [...new Set(ids)];
    const areThere =
      distinct.every(isId) &&
      (distinct.length === 0 || (await this.documents.count(tx, distinct)) === distinct.length);
    if (areThere) return;
    throw notFound('document', ['input', 'documentIds']);
  }

  /** The documents with these ids, in no order; unknown ids are left out. */
  async findMany(tx: Transaction, ids: readonly string[]): Promise<DocumentView[]> {
    const known = ids.filter(isId);
    return known.length === 0 ? [] : this.documents.findViews(tx, known);
  }
}
