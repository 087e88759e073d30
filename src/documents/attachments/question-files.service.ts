import { Injectable } from '@nestjs/common';

import { argumentAt, badInput, DomainError, notFound } from '../../common/errors/domain-error.js';
import { isId } from '../../common/ids.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { AttachmentRepository, type QuestionFile } from './attachment.repository.js';

/** Its message lacks the reason, which errorForClients adds. */
export class FailedAttachment extends DomainError {
  constructor(
    path: readonly string[],
    name: string,
    /** A code or English text for errorIn. */
    readonly reason: string | null,
  ) {
    super('BAD_USER_INPUT', `“${name}” cannot be attached`, argumentAt(path));
  }
}

/** Files that questions name: the company's documents, and the asking member's attachments. */
@Injectable()
export class QuestionFiles {
  constructor(private readonly files: AttachmentRepository) {}

  /** Rejects with NOT_FOUND, which names `input.documentIds`, unless the company has all of them, processed or not. */
  async requireDocuments(tx: Transaction, ids: readonly string[]): Promise<void> {
    const distinct = [...new Set(ids)];
    if (distinct.length === 0) return;
    const areIds = distinct.every(isId);
    if (areIds && (await this.files.countDocuments(tx, distinct)) === distinct.length) return;
    throw notFound('document', ['input', 'documentIds']);
  }

  /** In no order, without deleted ones. */
  find(tx: Transaction, memberId: string, ids: readonly string[]): Promise<QuestionFile[]> {
    return this.files.findForQuestion(tx, memberId, ids);
  }

  /**
   * Checks that a question of the conversation, or (null) of a new one, may use these files, and locks them until `tx`
   * ends. Rejects with NOT_FOUND, or with BAD_USER_INPUT for files that belong elsewhere, failed, or have not arrived.
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
    const found = await this.files.findForQuestion(tx, memberId, ids);
    if (found.length < ids.length) throw notFound('attachment', path);
    for (const { name, conversationId: own, contentId, hasFailed, error } of found) {
      if (own !== null && own !== conversationId)
        throw badInput(path, `“${name}” belongs to another conversation. Upload it again for this one.`);
      if (hasFailed) throw new FailedAttachment(path, name, error);
      if (contentId === null) throw badInput(path, `The bytes of “${name}” have not come yet.`);
    }
    return found;
  }

  /** Attaches those without a conversation to this one. */
  attach(tx: Transaction, ids: readonly string[], conversationId: string): Promise<void> {
    return this.files.attach(tx, ids, conversationId);
  }
}
