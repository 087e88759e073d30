import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@palabre/json';

import { DomainError, notFound } from '../common/errors/domain-error.js';
import { isId } from '../common/ids.js';
import { AuditService } from '../companies/audit/audit.service.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { Database } from '../platform/database/database.js';
import { retryOnDeadlock } from '../platform/database/retry-on-deadlock.js';
import type { Transaction } from '../platform/database/transaction.js';
import { DomainEvents } from '../platform/events/domain-events.js';
import { type DocumentContent, DocumentContentRepository } from './document-content.repository.js';
import { DocumentProgress } from './document-progress.service.js';
import type { Document } from './document.entity.js';
import { documentDeleted } from './document.events.js';
import { DocumentRepository } from './document.repository.js';
import { PassageIndex } from './passages/passage-index.service.js';
import { DocumentBytes } from './upload/document-bytes.service.js';

/** Attachments that one transaction removes. */
const AT_ONCE = 20;

/** Deletes documents; the last document of a content takes the content and its passages with it. */
@Injectable()
export class DocumentRemoval {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentRepository,
    private readonly contents: DocumentContentRepository,
    private readonly passages: PassageIndex,
    private readonly bytes: DocumentBytes,
    private readonly progress: DocumentProgress,
    private readonly audit: AuditService,
    private readonly events: DomainEvents,
  ) {}

  /** For the uploader and admins. An attachment is for the uploader only. Rejects with NOT_FOUND or FORBIDDEN. */
  async remove(viewer: Viewer, id: string): Promise<string> {
    if (!isId(id)) throw notFound('document');
    // If its bytes arrive meanwhile, its content changes: try again.
    while (!(await this.database.transaction(viewer.companyId, (tx) => this.tryToRemove(tx, viewer, id))));
    return id;
  }

  /** Removes the member's attachments. `expiredBefore`: only unused ones from before that. */
  async removeAttached(
    { companyId, memberId, signal }: { companyId: string; memberId: string | null; signal?: AbortSignal },
    expiredBefore?: Date,
  ): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const count = await retryOnDeadlock(() =>
        this.database.transaction(companyId, async (tx) => {
          const attached = await this.documents.listAttachedBy(tx, memberId, AT_ONCE, expiredBefore);
          for (const document of attached) await this.take(tx, document);
          return attached.length;
        }),
      );
      if (count === 0) return;
    }
  }

  /** Part of removing a conversation, which `tx` has locked. Documents shared with the company stay. */
  async removeOfConversation(tx: Transaction, conversationId: string): Promise<void> {
    await this.documents.leaveToCompany(tx, conversationId);
    // An attachment's bytes may arrive meanwhile.
    for (let left = await this.documents.listAttachedTo(tx, conversationId); left.length > 0;) {
      for (const document of left) await this.take(tx, document);
      left = await this.documents.listAttachedTo(tx, conversationId);
    }
  }

  private async tryToRemove(tx: Transaction, viewer: Viewer, id: string): Promise<boolean> {
    const document = await this.documents.find(tx, id);
    if (!document || (document.scope === 'CONVERSATION' && document.memberId !== viewer.id))
      throw notFound('document');
    checkRight(viewer, document);
    if (!(await this.take(tx, document))) return false;
    if (document.contentId !== null) await this.events.emit(tx, documentDeleted, document);
    // Private file names stay out of the audit, which admins read.
    const facts: JsonObject = document.scope === 'COMPANY' ? { name: document.name } : {};
    await this.audit.record(tx, viewer.id, 'document.deleted', id, facts);
    return true;
  }

  /** Deletes a document and everything that only it needs. False: it is gone or has changed. */
  private async take(tx: Transaction, document: Document): Promise<boolean> {
    const { contentId } = document;
    // The content is locked before the document, as when a document is added to a content.
    const content = contentId === null ? null : await this.contents.lock(tx, { id: contentId });
    if (!(await this.documents.delete(tx, document))) return false;
    // Under the document's own key there may be unneeded bytes: the content may be shared with an earlier document.
    await this.bytes.removeLater(tx, tx.companyId, this.bytes.keyOf(document));
    if (content !== null) await this.removeUnused(tx, content);
    await this.progress.announce(tx, tx.companyId, document.id);
    return true;
  }

  /** Removes a content without documents, which `tx` has locked. Later writes of its processing are refused. */
  async removeUnused(tx: Transaction, content: DocumentContent): Promise<void> {
    if (await this.documents.hasContent(tx, content.id)) return;
    await this.passages.removeContent(tx, content);
    await this.contents.delete(tx, { id: content.id });
    await this.bytes.removeLater(tx, tx.companyId, content.storageKey);
  }
}

function checkRight({ id, role }: Viewer, { memberId }: Document): void {
  if (memberId === id || role !== 'MEMBER') return;
  throw new DomainError('FORBIDDEN', 'Only whoever uploaded a document, or an admin, may delete it.');
}
