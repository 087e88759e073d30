import { Injectable } from '@nestjs/common';

import { notFound } from '../common/errors/domain-error.js';
import { isId } from '../common/ids.js';
import type { Viewer } from '../companies/auth/viewer.js';
import type { Transaction } from '../platform/database/transaction.js';
import { PubSub } from '../platform/pubsub/pub-sub.js';
import { DocumentStream } from './document-stream.js';
import { DocumentsService } from './documents.service.js';

function topicOf(companyId: string): string {
  return `documents.${companyId}`;
}

/** Reports the state of documents to followers on any replica. */
@Injectable()
export class DocumentProgress {
  constructor(
    private readonly documents: DocumentsService,
    private readonly pubSub: PubSub,
  ) {}

  /** Announces, once `tx` is committed, that a document or content has changed. `tx` may be a system transaction. */
  announce(tx: Transaction, companyId: string, id: string): Promise<void> {
    return this.pubSub.publish(tx, topicOf(companyId), id);
  }

  /** Streams the document's state. Rejects with NOT_FOUND. The caller must call the stream's return(). */
  async follow(viewer: Pick<Viewer, 'companyId' | 'id'>, id: string): Promise<DocumentStream> {
    if (!isId(id)) throw notFound('document');
    return new DocumentStream({
      id,
      listen: (...hear) => this.pubSub.follow(topicOf(viewer.companyId), ...hear),
      find: () => this.documents.find(viewer, id),
    }).begin();
  }
}
