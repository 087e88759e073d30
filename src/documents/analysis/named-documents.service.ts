import { Injectable } from '@nestjs/common';

import { isId, parseId } from '../../common/ids.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { DocumentRepository } from '../document.repository.js';
import { matchByName, type NamedDocument, distinctContents, namePatterns } from './named-document.js';

const MAX_CANDIDATES = 100;
const MAX_TOLD = 5;

/** Finds documents by what somebody calls them. */
@Injectable()
export class NamedDocuments {
  constructor(private readonly documents: DocumentRepository) {}

  /**
   * At most five documents that `wanted` may refer to, newest first; one if it is unambiguous. `wanted`: an id, a name or
   * part of one; null: any. `within`: restricts the search to these ids; empty: all of the company's documents.
   */
  async find(tx: Transaction, wanted: string | null, within: readonly string[]): Promise<NamedDocument[]> {
    const candidates = await this.listCandidates(tx, wanted, within);
    const meant = wanted === null ? distinctContents(candidates) : matchByName(wanted, candidates);
    return meant.slice(0, MAX_TOLD);
  }

  private async listCandidates(
    tx: Transaction,
    wanted: string | null,
    within: readonly string[],
  ): Promise<NamedDocument[]> {
    const ids = within.filter(isId);
    if (ids.length > 0) return this.documents.listNamedByIds(tx, ids, MAX_CANDIDATES);
    if (within.length > 0) return [];
    if (wanted === null) return this.documents.listNewestNamed(tx, MAX_TOLD + 1);
    const id = parseId(wanted);
    if (id !== null) return this.documents.listNamedByIds(tx, [id], MAX_CANDIDATES);
    const patterns = namePatterns(wanted);
    return patterns.length === 0 ? [] : this.documents.listNamedLike(tx, patterns, MAX_CANDIDATES);
  }
}
