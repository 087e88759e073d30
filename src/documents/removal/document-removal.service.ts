import { Injectable } from '@nestjs/common';

import type { Viewer } from '../../auth/viewer.js';
import { DomainError, notFound } from '../../common/errors/domain-error.js';
import { isId } from '../../common/ids.js';
import { AuditService } from '../../companies/audit/audit.service.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { DocumentContentRepository } from '../document-content.repository.js';
import { DocumentHints } from '../progress/document-hints.service.js';
import { DocumentRepository } from '../document.repository.js';
import type { Document } from '../document.entity.js';
import { ContentRemoval } from './content-removal.service.js';

/** Deletes documents, and with the last document of a content all that was made of it. */
@Injectable()
export class DocumentRemoval {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentRepository,
    private readonly contents: DocumentContentRepository,
    private readonly removal: ContentRemoval,
    private readonly hints: DocumentHints,
    private readonly audit: AuditService,
  ) {}

  /** Whoever uploaded it may, and admins. Rejects with NOT_FOUND, and with FORBIDDEN. */
  async remove(viewer: Viewer, id: string): Promise<string> {
    if (!isId(id)) throw notFound('document');
    // Its bytes may come just then: it is another document after that.
    while (!(await this.database.transaction(viewer.companyId, (tx) => this.tryToRemove(tx, viewer, id))));
    return id;
  }

  private async tryToRemove(tx: Transaction, viewer: Viewer, id: string): Promise<boolean> {
    const document = await this.documents.find(tx, id);
    if (!document) throw notFound('document');
    checkRight(viewer, document);
    const { contentId } = document;
    // Before the document, as whoever adds a document to this content does.
    const content = contentId === null ? null : await this.contents.hold(tx, contentId);
    if (!(await this.documents.delete(tx, document))) return false;
    await this.removal.removeUnused(tx, document, content);
    await this.audit.record(tx, viewer.id, 'document.deleted', id, { name: document.name });
    await this.hints.tell(tx, viewer.companyId, document.id);
    return true;
  }
}

const checkRight = ({ id, role }: Viewer, { memberId }: Document): void => {
  if (memberId === id || role !== 'MEMBER') return;
  throw new DomainError('FORBIDDEN', 'Only whoever uploaded a document, or an admin, may delete it.');
};
