import { Injectable, type OnModuleInit } from '@nestjs/common';

import { NIL_ID } from '../common/ids.js';
import { EXPORT_PAGE, MemberData, pageById } from '../companies/members/member-data.js';
import { memberLeaving } from '../companies/companies.events.js';
import { DomainEvents } from '../platform/events/domain-events.js';
import { DocumentRepository } from './document.repository.js';

/** Adds a member's documents to their data export, and leaves them to the company when the member is removed. */
@Injectable()
export class MemberDocuments implements OnModuleInit {
  constructor(
    private readonly data: MemberData,
    private readonly events: DomainEvents,
    private readonly documents: DocumentRepository,
  ) {}

  onModuleInit(): void {
    const names = ['id', 'name', 'mediaType', 'bytes', 'status', 'createdAt'] as const;
    this.data.onExport('documents', async (tx, memberId, after) =>
      pageById(await this.documents.listViewsOf(tx, memberId, after, EXPORT_PAGE), names),
    );
    this.events.on(memberLeaving, (tx, memberId) => this.documents.reassign(tx, memberId, NIL_ID));
  }
}
