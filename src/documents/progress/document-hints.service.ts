import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../database/transaction.js';
import { PubSub } from '../../pubsub/pub-sub.js';

const topicOf = (companyId: string): string => `documents.${companyId}`;

/** Tells those who follow a document when to look, on whichever replica they are. */
@Injectable()
export class DocumentHints {
  constructor(private readonly pubSub: PubSub) {}

  /** Once `tx` is committed: something about this document, or this content, is another. */
  tell(tx: Transaction, companyId: string, id: string): Promise<void> {
    return this.pubSub.publish(tx, topicOf(companyId), id);
  }

  /**
   * Calls `onHint` with the id of each document or content of the company that has changed, and `onGap` after a time in
   * which some may not have been heard of, until the returned function is called.
   */
  listen(companyId: string, onHint: (id: string) => void, onGap: () => void): () => void {
    const stops = [this.pubSub.subscribe(topicOf(companyId), onHint), this.pubSub.onGap(onGap)];
    return () => stops.forEach((stop) => stop());
  }
}
