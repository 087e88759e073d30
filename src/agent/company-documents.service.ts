import { Injectable } from '@nestjs/common';

import type { Transaction } from '../database/transaction.js';
import { DocumentReader } from '../documents/document-reader.service.js';
import type { TurnDocuments } from './loop/agent-turn.js';

/** What a turn needs to know of the company's documents before anything of them is read. */
@Injectable()
export class CompanyDocuments {
  constructor(private readonly documents: DocumentReader) {}

  /** One statement, for every turn pays for it. `documentIds`: those that the turn is restricted to; none: it is not. */
  async read(tx: Transaction, documentIds: readonly string[]): Promise<TurnDocuments> {
    if (documentIds.length === 0) {
      return { areThere: await this.documents.hasSearchable(tx), asked: [] };
    }
    // Those that are still being read count as well: the search tells of them.
    const asked = await this.documents.findMany(tx, documentIds);
    return { areThere: asked.length > 0, asked: asked.map(({ name }) => name).toSorted() };
  }
}
