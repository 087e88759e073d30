import { Injectable } from '@nestjs/common';

import { type Attachment, Attachments } from '../../documents/attachments/attachments.service.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { MessagePathRepository } from '../message-path.repository.js';
import type { Turn } from './turn.entity.js';
import { TurnRepository } from './turn.repository.js';

/** The newest questions with attachments that a turn looks at. Earlier attachments are not found. */
const MAX_QUESTIONS = 50;

export interface AttachedQuestion {
  messageId: string;
  attachments: Attachment[];
}

type Asked = Pick<Turn, 'companyId' | 'memberId' | 'questionId'>;

/** Attachments of the questions on a turn's path. Other branches are invisible. */
@Injectable()
export class TurnAttachments {
  constructor(
    private readonly database: Database,
    private readonly turns: TurnRepository,
    private readonly paths: MessagePathRepository,
    private readonly attachments: Attachments,
  ) {}

  /** The newest question first. */
  list(turn: Asked): Promise<AttachedQuestion[]> {
    return this.database.read(turn.companyId, (tx) => this.listIn(tx, turn));
  }

  /** The documents among them, which the turn searches in addition to the company's. */
  listDocumentIds(companyId: string, turnId: string): Promise<string[]> {
    return this.database.read(companyId, async (tx) => {
      const turn = await this.turns.find(tx, { id: turnId });
      const questions = turn ? await this.listIn(tx, turn) : [];
      const attachments = questions.flatMap((question) => question.attachments);
      return [
        ...new Set(attachments.flatMap(({ kind, documentId }) => (kind === 'DOCUMENT' ? [documentId] : []))),
      ];
    });
  }

  private async listIn(tx: Transaction, { questionId, memberId }: Asked): Promise<AttachedQuestion[]> {
    const questions = await this.paths.listAttached(tx, { leaf: questionId, limit: MAX_QUESTIONS });
    const ids = new Set(questions.flatMap(({ attachmentIds }) => attachmentIds));
    const found = await this.attachments.findManyIn(tx, memberId, [...ids]);
    const byId = new Map(found.map((attachment) => [attachment.id, attachment]));
    return questions.map(({ id: messageId, attachmentIds }) => ({
      messageId,
      attachments: attachmentIds.flatMap((id) => byId.get(id) ?? []),
    }));
  }
}
