import { Injectable } from '@nestjs/common';

import { DomainError, notFound } from '../common/errors/domain-error.js';
import { isId } from '../common/ids.js';
import { AuditService } from '../companies/audit/audit.service.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { Database } from '../platform/database/database.js';
import type { Transaction } from '../platform/database/transaction.js';
import { DomainEvents } from '../platform/events/domain-events.js';
import type { DocumentContent } from './document-content.entity.js';
import { DocumentContentRepository } from './document-content.repository.js';
import { DocumentHints } from './document-hints.service.js';
import type { Document } from './document.entity.js';
import { documentDeleted } from './document.events.js';
import { DocumentRepository } from './document.repository.js';
import { PassageIndex } from './passages/passage-index.service.js';
import { DocumentBytes } from './upload/document-bytes.service.js';

/** Deletes documents; the last document of a content takes the content and its passages with it. */
@Injectable()
export class DocumentRemoval {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentRepository,
    private readonly contents: DocumentContentRepository,
    private readonly passages: PassageIndex,
    private readonly bytes: DocumentBytes,
    private readonly hints: DocumentHints,
    private readonly audit: AuditService,
    private readonly events: DomainEvents,
  ) {}

  /** For the uploader and for admins. Rejects with NOT_FOUND or FORBIDDEN. */
  async remove(viewer: Viewer, id: string): Promise<string> {
    if (!isId(id)) throw notFound('document');
    // If its bytes arrive meanwhile, its content changes: try again.
    while (!(await this.database.transaction(viewer.companyId, (tx) => this.tryToRemove(tx, viewer, id))));
    return id;
  }

  private async tryToRemove(tx: Transaction, viewer: Viewer, id: string): Promise<boolean> {
    const document = await this.documents.find(tx, id);
    if (!document) throw notFound('document');
    checkRight(viewer, document);
    const { contentId } = document;
    // The content is locked before the document, as when a document is added to a content.
    const content = contentId === null ? null : await this.contents.hold(tx, contentId);
    if (!(await this.documents.delete(tx, document))) return false;
    await this.removeUnused(tx, document, content);
    await this.audit.record(tx, viewer.id, 'document.deleted', id, { name: document.name });
    await this.hints.announce(tx, viewer.companyId, document.id);
    return true;
  }

  /** `content`: the document's, locked by `tx`. Deleting it refuses the writes of whoever processes it. */
  private async removeUnused(
    tx: Transaction,
    document: Document,
    content: DocumentContent | null,
  ): Promise<void> {
    // Under the document's own key there may be unneeded bytes: the content may be shared with an earlier document.
    await this.bytes.removeLater(tx, tx.companyId, this.bytes.keyOf(document));
    if (content === null) return;
    await this.events.emit(tx, documentDeleted, document);
    if (await this.documents.hasContent(tx, content.id)) return;
    await this.passages.removeContent(tx, content.id);
    await this.contents.delete(tx, content.id);
    await this.bytes.removeLater(tx, tx.companyId, content.storageKey);
  }
}

function checkRight({ id, role }: Viewer, { memberId }: Document): void {
  if (memberId === id || role !== 'MEMBER') return;
  throw new DomainError('FORBIDDEN', 'Only whoever uploaded a document, or an admin, may delete it.');
}
