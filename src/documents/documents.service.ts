import { Injectable } from '@nestjs/common';

import { notFound } from '../common/errors/domain-error.js';
import { isId } from '../common/ids.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../common/schema/page.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { type Download, Downloads, type FileLink } from '../companies/files/downloads.service.js';
import { Database } from '../platform/database/database.js';
import type { Transaction } from '../platform/database/transaction.js';
import { DocumentHints } from './document-hints.service.js';
import { DocumentStream } from './document-stream.js';
import type { DocumentView } from './document-view.js';
import { documentOrder, DocumentRepository } from './document.repository.js';
import type { Passage } from './passages/passage.entity.js';
import { PassageIndex } from './passages/passage-index.service.js';

/**
 * Documents as members see them: all of their company's, whoever uploaded them, and what they attached themselves. What is
 * attached to a conversation is found only by whoever names its ids.
 */
@Injectable()
export class DocumentsService {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentRepository,
    private readonly hints: DocumentHints,
    private readonly downloads: Downloads,
    private readonly passages: PassageIndex,
  ) {}

  async find(
    { companyId, id: memberId }: Pick<Viewer, 'companyId' | 'id'>,
    id: string,
  ): Promise<DocumentView | null> {
    const view = isId(id) ? await this.findFile(companyId, memberId, id) : null;
    return view?.kind === 'DOCUMENT' ? view : null;
  }

  list({ companyId }: Viewer, page: ForwardPageArguments): Promise<Page<DocumentView>> {
    const request = pageRequest(page, documentOrder);
    return this.database.read(companyId, async (tx) => {
      const { rows, ...page } = await this.documents.list(tx, request);
      const views = await this.documents.findViews(
        tx,
        rows.map(({ id }) => id),
      );
      const byId = new Map(views.map((view) => [view.id, view]));
      // Some may have been deleted meanwhile.
      const found = rows.flatMap(({ id }) => byId.get(id) ?? []);
      return { ...page, rows: found, keyOf: documentOrder.keyOf };
    });
  }

  /** What a document says, from a passage on (0: the first), `limit` passages at most; null: there is nothing to read. */
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

  /** Whether the company has any searchable document, and whether anything is attached to the conversation. */
  whatIsThere(tx: Transaction, conversationId: string): ReturnType<DocumentRepository['whatIsThere']> {
    return this.documents.whatIsThere(tx, conversationId);
  }

  /** Rejects with NOT_FOUND, which names `input.documentIds`, unless the company has all of them. */
  async requireMany(tx: Transaction, ids: readonly string[]): Promise<void> {
    const distinct = [...new Set(ids)];
    const areThere =
      distinct.every(isId) &&
      (distinct.length === 0 || (await this.documents.count(tx, distinct)) === distinct.length);
    if (areThere) return;
    throw notFound('document', ['input', 'documentIds']);
  }

  /** The company's documents with these ids, in no order, and those of `attached`; unknown ids are left out. */
  async findMany(
    tx: Transaction,
    ids: readonly string[],
    attached: readonly string[] = [],
  ): Promise<DocumentView[]> {
    const known = [...ids, ...attached].filter(isId);
    return known.length === 0 ? [] : this.documents.findViews(tx, known, attached);
  }

  /** A temporary download link for the viewer; null until the bytes have arrived. */
  linkTo(
    viewer: Viewer,
    { companyId, id, contentId }: Pick<DocumentView, 'companyId' | 'id' | 'contentId'>,
  ): FileLink | null {
    return contentId === null ? null : this.downloads.linkTo({ companyId, id }, viewer.id);
  }

  /** The download behind a link; null: no such document, or its bytes have not arrived. */
  async findDownload(companyId: string, id: string, memberId: string): Promise<Download | null> {
    const view = await this.findFile(companyId, memberId, id);
    return view?.storageKey == null ? null : { ...view, storageKey: view.storageKey };
  }

  /** Streams the document's state. Rejects with NOT_FOUND. The caller must call the stream's return(). */
  async follow(viewer: Pick<Viewer, 'companyId' | 'id'>, id: string): Promise<DocumentStream> {
    if (!isId(id)) throw notFound('document');
    return new DocumentStream({
      id,
      listen: (onHint, onGap) => this.hints.listen(viewer.companyId, onHint, onGap),
      find: () => this.find(viewer, id),
    }).begin();
  }

  /** A document or an image, as far as the member sees it. */
  private findFile(companyId: string, memberId: string, id: string): Promise<DocumentView | null> {
    return this.database.read(companyId, (tx) => this.documents.findViewFor(tx, memberId, id));
  }
}
