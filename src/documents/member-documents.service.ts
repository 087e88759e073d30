import { Injectable, type OnModuleInit } from '@nestjs/common';

import { NIL_ID } from '../common/ids.js';
import { EXPORT_PAGE, MemberData, pageById } from '../companies/members/member-data.js';
import { memberLeaving } from '../companies/companies.events.js';
import { DomainEvents } from '../platform/events/domain-events.js';
import { DocumentRemoval } from './document-removal.service.js';
import { DocumentRepository } from './document.repository.js';

/**
 * Adds a member's documents to their data export. When the member is removed, attachments go, and all others are left to
 * the company.
 */
@Injectable()
export class MemberDocuments implements OnModuleInit {
  constructor(
    private readonly data: MemberData,
    private readonly events: DomainEvents,
    private readonly documents: DocumentRepository,
    private readonly removal: DocumentRemoval,
  ) {}

  onModuleInit(): void {
    const names = [
      'id',
      'name',
      'mediaType',
      'bytes',
      'status',
      'scope',
      'conversationId',
      'createdAt',
    ] as const;
    this.data.onExport('documents', async (tx, memberId, after) =>
      pageById(await this.documents.listViewsOf(tx, memberId, after, EXPORT_PAGE), names),
    );
    this.data.onClearance(({ companyId, id: memberId }, signal) =>
      this.removal.removeAttached({ companyId, memberId, signal }),
    );
    this.events.on(memberLeaving, (tx, memberId) => this.documents.reassign(tx, memberId, NIL_ID));
  }
}
