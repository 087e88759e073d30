import { Injectable } from '@nestjs/common';

import { isId, parseId } from '../../../common/ids.js';
import type { Transaction } from '../../../database/transaction.js';
import { meantBy, type NamedDocument, oncePerContent, patternsOf } from './named-document.js';
import { NamedDocumentRepository } from './named-document.repository.js';

const MOST_CANDIDATES = 100;
const MOST_TOLD = 5;

/** Finds the document that somebody means. */
@Injectable()
export class NamedDocuments {
  constructor(private readonly documents: NamedDocumentRepository) {}

  /**
   * Those that may be meant by `wanted`, newest first, at most five; one where it is clear. `wanted`: an id, a name or a
   * part of it; null: whichever there is. `within`: the ids of those that can be meant; none: all of the company's.
   */
  async find(tx: Transaction, wanted: string | null, within: readonly string[]): Promise<NamedDocument[]> {
    const candidates = await this.listCandidates(tx, wanted, within);
    const meant = wanted === null ? oncePerContent(candidates) : meantBy(wanted, candidates);
    return meant.slice(0, MOST_TOLD);
  }

  private async listCandidates(
    tx: Transaction,
    wanted: string | null,
    within: readonly string[],
  ): Promise<NamedDocument[]> {
    const ids = within.filter(isId);
    if (ids.length > 0) return this.documents.listByIds(tx, ids, MOST_CANDIDATES);
    if (within.length > 0) return [];
    if (wanted === null) return this.documents.listNewest(tx, MOST_TOLD + 1);
    const id = parseId(wanted);
    if (id !== null) return this.documents.listByIds(tx, [id], MOST_CANDIDATES);
    const patterns = patternsOf(wanted);
    return patterns.length === 0 ? [] : this.documents.listNamed(tx, patterns, MOST_CANDIDATES);
  }
}
