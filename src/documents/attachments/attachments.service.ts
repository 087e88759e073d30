import { Injectable } from '@nestjs/common';

import type { DocumentView } from '../document-view.js';
import { isId } from '../../common/ids.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { AttachmentRepository } from './attachment.repository.js';

/** A file of a conversation, as its member sees it. */
export interface Attachment extends Omit<DocumentView, 'attachmentId'> {
  /** Its id as an attachment. */
  id: string;
  documentId: string;
}

export function attachmentOf({ attachmentId, ...view }: DocumentView): Attachment {
  return { ...view, id: attachmentId ?? view.id, documentId: view.id };
}

type Owner = Pick<Viewer, 'id' | 'companyId'>;

/** Members' attachments to conversations. For others they do not exist. */
@Injectable()
export class Attachments {
  constructor(
    private readonly database: Database,
    private readonly attachments: AttachmentRepository,
  ) {}

  async find(owner: Owner, id: string): Promise<Attachment | null> {
    const [attachment] = isId(id) ? await this.findMany(owner, [id]) : [];
    return attachment ?? null;
  }

  /** In no order, without deleted ones. */
  findMany(owner: Owner, ids: readonly string[]): Promise<Attachment[]> {
    return this.database.read(owner.companyId, (tx) => this.findManyIn(tx, owner.id, ids));
  }

  async findManyIn(tx: Transaction, memberId: string, ids: readonly string[]): Promise<Attachment[]> {
    if (ids.length === 0) return [];
    return (await this.attachments.findMany(tx, memberId, ids)).map(attachmentOf);
  }

  /** The conversations among these that have attachments in any branch. */
  listConversationsWithAny({ companyId }: Owner, conversationIds: readonly string[]): Promise<string[]> {
    return this.database.read(companyId, (tx) => this.attachments.listWithAttachments(tx, conversationIds));
  }
}
