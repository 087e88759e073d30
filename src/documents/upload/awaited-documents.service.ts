import { Injectable } from '@nestjs/common';

import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { LINK_MS } from '../../files/downloads/signed-links.js';
import { MAX_UPLOAD_MS } from '../../files/uploads/slow-requests.js';
import { DocumentHints } from '../progress/document-hints.service.js';
import { DocumentRepository } from '../document.repository.js';
import { DocumentBytes } from './document-bytes.service.js';

/** A link may be used to its last moment, and what is sent then take its time. */
export const PATIENCE_MS = LINK_MS + MAX_UPLOAD_MS;

const AT_ONCE = 500;

const NEVER_CAME = 'The file never came. Please upload it again.';

/** Documents of all companies whose bytes are waited for. */
@Injectable()
export class AwaitedDocuments {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentRepository,
    private readonly bytes: DocumentBytes,
    private readonly hints: DocumentHints,
  ) {}

  /** Has those that have waited in vain say so. Two rounds at once do no harm. */
  async giveUp(now: Date): Promise<void> {
    const before = new Date(now.getTime() - PATIENCE_MS);
    let given = AT_ONCE;
    while (given === AT_ONCE) {
      given = await this.database.systemTransaction((tx) => this.giveUpSome(tx, before));
    }
  }

  private async giveUpSome(tx: Transaction, before: Date): Promise<number> {
    const given = await this.documents.giveUp(tx, { before, error: NEVER_CAME, limit: AT_ONCE });
    for (const document of given) {
      // A server that died in the middle of it may have left them.
      await this.bytes.removeLater(tx, document.companyId, this.bytes.keyOf(document));
      await this.hints.tell(tx, document.companyId, document.id);
    }
    return given.length;
  }
}
