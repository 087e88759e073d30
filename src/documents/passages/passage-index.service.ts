import { Injectable, type OnModuleInit } from '@nestjs/common';

import { newId } from '../../common/ids.js';
import { together } from '../../database/together.js';
import type { Transaction } from '../../database/transaction.js';
import { SearchIndex } from '../../search/search-index.service.js';
import { SearchTexts } from '../../search/search-texts.js';
import type { CutPassage } from './cut-passage.js';
import type { Passage } from './passage.entity.js';
import { passageScope, searchedText } from './passage-text.js';
import { PassageRepository } from './passage.repository.js';

/** Rows that go into one statement. */
const ROWS_AT_A_TIME = 500;

/** Keeps passages and has them found. */
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
   * Adds passages of a content, whose ordinals it has none of yet. They are found once `tx` is committed, and the
   * content is COMPLETED. Holds what the company has in its index until `tx` ends: a hundred or two at a time are well
   * on the way.
   */
  async put(tx: Transaction, contentId: string, passages: readonly CutPassage[]): Promise<void> {
    for (let at = 0; at < passages.length; at += ROWS_AT_A_TIME) {
      const rows = passages.slice(at, at + ROWS_AT_A_TIME).map((passage) => ({ ...passage, id: newId() }));
      const items = rows.map((row) => ({ id: row.id, groupId: contentId, text: searchedText(row) }));
      // What is searched may be read as soon as it is put in.
      await this.passages.insert(tx, contentId, rows);
      await this.index.put(tx, passageScope, items);
    }
  }

  /** Erases all passages of a content, and has them found no more. */
  async removeContent(tx: Transaction, contentId: string): Promise<void> {
    await together([
      this.passages.removeContent(tx, contentId),
      this.index.removeGroup(tx, passageScope, contentId),
    ]);
  }

  /** Passages of a content from an ordinal on, in the order of the document. */
  list(tx: Transaction, contentId: string, fromOrdinal: number, limit: number): Promise<Passage[]> {
    return this.passages.list(tx, contentId, fromOrdinal, limit);
  }
}
