import { Injectable } from '@nestjs/common';

import { notFound } from '../common/errors/domain-error.js';
import { isId } from '../common/ids.js';
import type { Transaction } from '../platform/database/transaction.js';
import type { DocumentView } from './document-view.js';
import { DocumentRepository } from './document.repository.js';

/**
 * A company's documents, for other features. All members of a company see all of its documents; what is attached to a
 * conversation is found only by whoever names its ids.
 */
@Injectable()
export class DocumentReader {
  constructor(private readonly documents: DocumentRepository) {}

  /** Whether the company has any searchable document, and whether anything is attached to the conversation. */
  whatIsThere(tx: Transaction, conversationId: string): ReturnType<DocumentRepository['whatIsThere']> {
    return this.documents.whatIsThere(tx, conversationId);
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

  /** The company's documents with these ids, in no order, and those of `attached`; unknown ids are left out. */
  async findMany(
    tx: Transaction,
    ids: readonly string[],
    attached: readonly string[] = [],
  ): Promise<DocumentView[]> {
    const known = [...ids, ...attached].filter(isId);
    return known.length === 0 ? [] : this.documents.findViews(tx, known, attached);
  }
}
