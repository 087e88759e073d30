import { Injectable } from '@nestjs/common';

import { isId } from '../common/ids.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { type Download, Downloads, type FileLink } from '../companies/files/downloads.service.js';
import { Database } from '../platform/database/database.js';
import type { DocumentView } from './document-view.js';
import { DocumentRepository } from './document.repository.js';
import { type Passage, PassageRepository } from './passages/passage.repository.js';

/** The content of documents and images for members: text and bytes. */
@Injectable()
export class DocumentContents {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentRepository,
    private readonly passages: PassageRepository,
    private readonly downloads: Downloads,
  ) {}

  /** The text of a document from passage `from` (0: the first), at most `limit` passages. Null: nothing to read. */
  read(
    { companyId, id: memberId }: Viewer,
    id: string,
    { from, limit }: { from: number; limit: number },
  ): Promise<{ document: DocumentView; passages: Passage[] } | null> {
    return this.database.read(companyId, async (tx) => {
      const document = isId(id) ? await this.documents.findViewFor(tx, memberId, id) : null;
      if (document?.kind !== 'DOCUMENT' || document.status !== 'COMPLETED' || document.contentId === null)
        return null;
      return { document, passages: await this.passages.list(tx, document.contentId, from, limit) };
    });
  }

  /** A temporary download link for the viewer; null until the bytes have arrived. */
  linkTo(
    viewer: Viewer,
    { companyId, id, contentId }: Pick<DocumentView, 'companyId' | 'id' | 'contentId'>,
  ): FileLink | null {
    return contentId === null ? null : this.downloads.linkTo({ companyId, id }, viewer.id);
  }

  /** The download behind a link. Null: no such document, or its bytes have not arrived. */
  async findDownload(companyId: string, id: string, memberId: string): Promise<Download | null> {
    const view = await this.database.read(companyId, (tx) => this.documents.findViewFor(tx, memberId, id));
    return view?.storageKey == null ? null : { ...view, storageKey: view.storageKey };
  }
}
