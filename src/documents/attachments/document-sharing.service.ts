import { Injectable } from '@nestjs/common';

import { badInput, DomainError, notFound } from '../../common/errors/domain-error.js';
import { isId } from '../../common/ids.js';
import { AuditService } from '../../companies/audit/audit.service.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { Database } from '../../platform/database/database.js';
import { retryOnDeadlock } from '../../platform/database/retry-on-deadlock.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { DocumentContentRepository } from '../document-content.repository.js';
import { DocumentProgress } from '../document-progress.service.js';
import { DocumentRemoval } from '../document-removal.service.js';
import type { DocumentScope } from '../document.entity.js';
import type { DocumentView } from '../document-view.js';
import { DocumentRepository } from '../document.repository.js';
import { DocumentReceiver } from '../upload/document-receiver.service.js';

/** Shares conversations' documents with the company, and takes them back. The caller has checked the role. */
@Injectable()
export class DocumentSharing {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentRepository,
    private readonly contents: DocumentContentRepository,
    private readonly receiver: DocumentReceiver,
    private readonly removal: DocumentRemoval,
    private readonly progress: DocumentProgress,
    private readonly audit: AuditService,
  ) {}

  /** Rejects with NOT_FOUND, also for other members' attachments, with BAD_USER_INPUT, and with CONFLICT. */
  async update(viewer: Viewer, id: string, scope: DocumentScope): Promise<DocumentView> {
    if (!isId(id)) throw notFound('document', ['id']);
    const view = await retryOnDeadlock(() =>
      this.database.transaction(viewer.companyId, (tx) => this.updateIn(tx, viewer, id, scope)),
    );
    if (!view) throw new DomainError('CONFLICT', 'The document has changed meanwhile. Please try again.');
    return view;
  }

  private async updateIn(
    tx: Transaction,
    viewer: Viewer,
    id: string,
    scope: DocumentScope,
  ): Promise<DocumentView | null> {
    const view = await this.documents.findViewFor(tx, viewer.id, id);
    if (view?.kind !== 'DOCUMENT') throw notFound('document', ['id']);
    if (view.scope === scope) return view;
    if (view.attachmentId === null || view.conversationId === null)
      throw badInput(['scope'], 'Only a document of a conversation can be its own, or be shared.');
    const document = await this.documents.find(tx, id);
    const content = view.contentId === null ? null : await this.contents.lock(tx, { id: view.contentId });
    if (!content) throw badInput(['id'], 'The bytes of this document have not come yet.');
    if (!document || !(await this.receiver.move(tx, document, content, scope))) return null;
    await this.removal.removeUnused(tx, content);
    const action = scope === 'COMPANY' ? 'document.shared' : 'document.unshared';
    await this.audit.record(tx, viewer.id, action, id, { name: document.name });
    await this.progress.announce(tx, tx.companyId, id);
    return { ...view, ...(await this.documents.findViewFor(tx, document.memberId, id)) };
  }
}
