import { Injectable } from '@nestjs/common';

import { badInput, notFound } from '../../common/errors/domain-error.js';
import { isId } from '../../common/ids.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { errorIn } from '../document-remark.js';
import { type QuestionFile, QuestionFileRepository } from './question-file.repository.js';

/** What questions name: documents of the company, and attachments of whoever asks. */
@Injectable()
export class QuestionFiles {
  constructor(private readonly files: QuestionFileRepository) {}

  /** Rejects with NOT_FOUND, which names `input.documentIds`, unless the company has all of them, processed or not. */
  async requireDocuments(tx: Transaction, ids: readonly string[]): Promise<void> {
    const distinct = [...new Set(ids)];
    if (distinct.length === 0) return;
    const areIds = distinct.every(isId);
    if (areIds && (await this.files.countDocuments(tx, distinct)) === distinct.length) return;
    throw notFound('document', ['input', 'documentIds']);
  }

  /** In no order; without those that are gone. */
  find(tx: Transaction, memberId: string, ids: readonly string[]): Promise<QuestionFile[]> {
    return this.files.find(tx, memberId, ids);
  }

  /**
   * Checks that a question of the conversation, or (null) of a new one, can be asked with these, and keeps them until `tx`
   * ends. Rejects with NOT_FOUND, or with BAD_USER_INPUT for what belongs elsewhere, failed, or has not come.
   */
  async hold(
    tx: Transaction,
    memberId: string,
    {
      ids,
      conversationId,
      path,
    }: { ids: readonly string[]; conversationId: string | null; path: readonly string[] },
  ): Promise<QuestionFile[]> {
    if (!ids.every(isId)) throw notFound('attachment', path);
    await this.files.hold(tx, ids);
    const found = await this.files.find(tx, memberId, ids);
    if (found.length < ids.length) throw notFound('attachment', path);
    for (const { name, conversationId: own, contentId, hasFailed, error } of found) {
      if (own !== null && own !== conversationId) {
        throw badInput(path, `“${name}” belongs to another conversation. Upload it again for this one.`);
      }
      if (hasFailed) {
        const why = errorIn({ error, warnings: [], remarks: null }, 'en') ?? 'It failed.';
        throw badInput(path, `“${name}” cannot be attached: ${why}`);
      }
      if (contentId === null) throw badInput(path, `The bytes of “${name}” have not come yet.`);
    }
    return found;
  }

  /** Those that belong to no conversation yet belong to this one from now on. */
  attach(tx: Transaction, ids: readonly string[], conversationId: string): Promise<void> {
    return this.files.attach(tx, ids, conversationId);
  }
}
