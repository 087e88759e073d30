import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../database/transaction.js';
import type { DocumentContent } from '../document-content.entity.js';
import { DocumentContentRepository } from '../document-content.repository.js';
import type { Document } from '../document.entity.js';
import { DocumentRepository } from '../document.repository.js';
import { PassageIndex } from '../passages/passage-index.service.js';
import { DocumentBytes } from '../upload/document-bytes.service.js';

/** Removes what a document that was deleted leaves behind. */
@Injectable()
export class ContentRemoval {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly contents: DocumentContentRepository,
    private readonly passages: PassageIndex,
    private readonly bytes: DocumentBytes,
  ) {}

  /** `content`: the document's, held by `tx`; whoever processes it is refused from then on. */
  async removeUnused(tx: Transaction, document: Document, content: DocumentContent | null): Promise<void> {
    // Under its own key there may be what it was not needed for, as the same had come before.
    await this.bytes.removeLater(tx, tx.companyId, this.bytes.keyOf(document));
    if (content === null || (await this.documents.hasContent(tx, content.id))) return;
    await this.passages.removeContent(tx, content.id);
    await this.contents.delete(tx, content.id);
    await this.bytes.removeLater(tx, tx.companyId, content.storageKey);
  }
}
