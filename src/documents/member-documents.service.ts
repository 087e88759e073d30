import { Injectable, type OnModuleInit } from '@nestjs/common';

import { EXPORT_PAGE, MemberData, pageById } from '../companies/member-data/member-data.js';
import { NOBODY } from '../companies/member-data/nobody.js';
import { DocumentRepository } from './document.repository.js';

/** What members have uploaded: in an export of theirs, and the company's when they are gone. */
@Injectable()
export class MemberDocuments implements OnModuleInit {
  constructor(
    private readonly data: MemberData,
    private readonly documents: DocumentRepository,
  ) {}

  onModuleInit(): void {
    this.data.onExport('documents', async (tx, memberId, after) =>
      pageById(
        await this.documents.listViewsOf(tx, memberId, after, EXPORT_PAGE),
        ({ id, name, mediaType, bytes, status, createdAt }) => ({
          id,
          name,
          mediaType,
          bytes,
          status,
          createdAt: createdAt.toISOString(),
        }),
      ),
    );
    this.data.onLeaving((tx, memberId) => this.documents.give(tx, memberId, NOBODY));
  }
}
