import { Injectable } from '@nestjs/common';

import type { Transaction } from '../platform/database/transaction.js';
import { PubSub } from '../platform/pubsub/pub-sub.js';

function topicOf(companyId: string): string {
  return `documents.${companyId}`;
}

/** Tells followers of documents, on any replica, when to look again. */
@Injectable()
export class DocumentHints {
  constructor(private readonly pubSub: PubSub) {}

  /** Announces, once `tx` is committed, that this document or content has changed. */
  announce(tx: Transaction, companyId: string, id: string): Promise<void> {
    return this.pubSub.publish(tx, topicOf(companyId), id);
  }

  /**
   * Calls `onHint` with the id of each changed document or content of the company, and `onGap` after hints may have been
   * missed, until the returned function is called.
   */
  listen(companyId: string, onHint: (id: string) => void, onGap: () => void): () => void {
    const stops = [this.pubSub.subscribe(topicOf(companyId), onHint), this.pubSub.onGap(onGap)];
    return () => stops.forEach((stop) => stop());
  }
}
