import { Injectable } from '@nestjs/common';

import { isId, parseId } from '../../common/ids.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { DocumentView } from '../document-view.js';
import { DocumentRepository } from '../document.repository.js';
import { matchByName, distinctContents, namePatterns } from './named-document.js';

const MAX_CANDIDATES = 100;
const MAX_TOLD = 5;

/** Finds documents by name. */
@Injectable()
export class NamedDocuments {
  constructor(private readonly documents: DocumentRepository) {}

  /**
   * At most five documents that `wanted` may mean, newest first. One if it is unambiguous. `wanted`: an id, a name or
   * part of one. Null: any, attachments first. `within`: ids that restrict the search in the company's documents.
   * Empty: all. `attached`: documents of the conversation, which are searched too.
   */
  async find(
    tx: Transaction,
    wanted: string | null,
    within: readonly string[],
    attached: readonly string[] = [],
  ): Promise<DocumentView[]> {
    const candidates = await this.listCandidates(tx, wanted, within, attached);
    const meant = wanted === null ? distinctContents(candidates) : matchByName(wanted, candidates);
    return meant.slice(0, MAX_TOLD);
  }

  private async listCandidates(
    tx: Transaction,
    wanted: string | null,
    within: readonly string[],
    attached: readonly string[],
  ): Promise<DocumentView[]> {
    if (wanted === null && attached.length > 0) return this.listByIds(tx, attached, attached);
    if (within.length > 0) return this.listByIds(tx, [...within.filter(isId), ...attached], attached);
    if (wanted === null) return this.documents.listNewestViews(tx, MAX_TOLD + 1);
    const id = parseId(wanted);
    if (id !== null) return this.listByIds(tx, [id], attached);
    const patterns = namePatterns(wanted);
    return patterns.length === 0
      ? []
      : this.documents.listViewsNamedLike(tx, patterns, MAX_CANDIDATES, attached);
  }

  /** Newest first, as newer ids are larger. */
  private async listByIds(
    tx: Transaction,
    ids: readonly string[],
    attached: readonly string[],
  ): Promise<DocumentView[]> {
    const newest = ids.toSorted().toReversed().slice(0, MAX_CANDIDATES);
    const found = await this.documents.findViews(tx, newest, attached);
    return found.toSorted((one, other) => (one.id < other.id ? 1 : -1));
  }
}
