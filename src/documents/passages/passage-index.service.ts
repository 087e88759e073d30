import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { CutPassage } from '@palabre/passages';

import { newId, NIL_ID } from '../../common/ids.js';
import { awaitAll, type Transaction } from '../../platform/database/transaction.js';
import type { DocumentContent } from '../document-content.repository.js';
import { SearchIndex } from '../search-index/search-index.service.js';
import { SearchTexts } from '../search-index/search-texts.js';
import type { SearchScope } from '../search-index/search.js';
import { type Passage, PassageRepository } from './passage.repository.js';

/** The search scope of passages for a whole company. */
export const passageScope: SearchScope = { collection: 'PASSAGE', ownerId: null };

/** A content. Its owner decides where its passages are found. */
type Owned = Pick<DocumentContent, 'id' | 'ownerId'>;

/** The search scope of a member's attachments. NOBODY: the company's. */
export function passageScopeOf(ownerId: string): SearchScope {
  return ownerId === NIL_ID ? passageScope : { collection: 'PASSAGE', ownerId };
}

/** The indexed text of a passage: its text, preceded by the headings above it that it does not contain. */
export function searchedText({ headings, text }: { headings: readonly string[]; text: string }): string {
  return [...headings.filter((heading) => !text.includes(heading)), text].join('\n');
}

const ROWS_AT_A_TIME = 500;

@Injectable()
export class PassageIndex implements OnModuleInit {
  constructor(
    private readonly passages: PassageRepository,
    private readonly index: SearchIndex,
    private readonly texts: SearchTexts,
  ) {}

  onModuleInit(): void {
    this.texts.register('PASSAGE', async (tx, ids) => {
      const found = await this.passages.listTexts(tx, ids);
      return new Map(found.map((passage) => [passage.id, searchedText(passage)]));
    });
  }

  /**
   * Adds new passages of a content. They are found once `tx` is committed and the content is COMPLETED. Locks the company's
   * search scope until `tx` ends, so add no more than a hundred or two at a time.
   */
  async put(
    tx: Transaction,
    { id: contentId, ownerId }: Owned,
    passages: readonly CutPassage[],
  ): Promise<void> {
    for (let at = 0; at < passages.length; at += ROWS_AT_A_TIME) {
      const rows = passages.slice(at, at + ROWS_AT_A_TIME).map((passage) => ({ ...passage, id: newId() }));
      const items = rows.map((row) => ({ id: row.id, groupId: contentId, text: searchedText(row) }));
      // Stored before they are indexed, as the index may read their texts at once.
      await this.passages.insert(tx, contentId, rows);
      await this.index.put(tx, passageScopeOf(ownerId), items);
    }
  }

  /** Deletes all passages of a content and removes them from the index. */
  async removeContent(tx: Transaction, { id, ownerId }: Owned): Promise<void> {
    await awaitAll([
      this.passages.removeContent(tx, id),
      this.index.removeGroup(tx, passageScopeOf(ownerId), id),
    ]);
  }

  /** Passages of a content from an ordinal on, in the order of the document. */
  list(tx: Transaction, contentId: string, fromOrdinal: number, limit: number): Promise<Passage[]> {
    return this.passages.list(tx, contentId, fromOrdinal, limit);
  }
}
