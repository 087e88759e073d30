import { Injectable } from '@nestjs/common';

import type { Viewer } from '../auth/viewer.js';
import { notFound } from '../common/errors/domain-error.js';
import { isId } from '../common/ids.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../common/schema/page.js';
import { Database } from '../database/database.js';
import { type Download, Downloads, type FileLink } from '../files/downloads/downloads.service.js';
import { DocumentHints } from './progress/document-hints.service.js';
import { DocumentStream } from './progress/document-stream.js';
import type { DocumentView } from './document-view.js';
import { documentOrder, DocumentRepository } from './document.repository.js';

/** What members see of their company's documents: all of them, whoever uploaded them. */
@Injectable()
export class DocumentsService {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentRepository,
    private readonly hints: DocumentHints,
    private readonly downloads: Downloads,
  ) {}

  async find({ companyId }: Pick<Viewer, 'companyId'>, id: string): Promise<DocumentView | null> {
    if (!isId(id)) return null;
    const [view] = await this.database.read(companyId, (tx) => this.documents.findViews(tx, [id]));
    return view ?? null;
  }

  list({ companyId }: Viewer, page: ForwardPageArguments): Promise<Page<DocumentView>> {
    const request = pageRequest(page, documentOrder);
    return this.database.read(companyId, async (tx) => {
      const { rows, hasMore } = await this.documents.list(tx, request);
      const views = await this.documents.findViews(
        tx,
        rows.map(({ id }) => id),
      );
      const byId = new Map(views.map((view) => [view.id, view]));
      // One may be gone since.
      const found = rows.flatMap(({ id }) => byId.get(id) ?? []);
      return { request, rows: found, hasMore, keyOf: documentOrder.keyOf };
    });
  }

  /** Where it can be saved from, for a while; null until its bytes have come. */
  linkTo({ companyId, id, contentId }: DocumentView): FileLink | null {
    return contentId === null ? null : this.downloads.linkTo({ companyId, id });
  }

  /** One of a company whose bytes have come, for whoever has a link to it. */
  async findDownload(companyId: string, id: string): Promise<Download | null> {
    const [view] = await this.database.read(companyId, (tx) => this.documents.findViews(tx, [id]));
    return view?.storageKey == null ? null : { ...view, storageKey: view.storageKey };
  }

  /** How it stands from now on. Rejects with NOT_FOUND. Whoever has it must call its return(). */
  async follow({ companyId }: Viewer, id: string): Promise<DocumentStream> {
    if (!isId(id)) throw notFound('document');
    return new DocumentStream({
      id,
      listen: (onHint, onGap) => this.hints.listen(companyId, onHint, onGap),
      find: () => this.find({ companyId }, id),
    }).begin();
  }
}
