import { Injectable } from '@nestjs/common';

import { Config } from '../common/config/config.js';
import { DomainError } from '../common/errors/domain-error.js';
import { NIL_ID } from '../common/ids.js';
import type { Viewer } from '../companies/auth/viewer.js';
import { MembersService } from '../companies/members/members.service.js';
import { awaitAll, type Transaction } from '../platform/database/transaction.js';
import { Database } from '../platform/database/database.js';
import { COMPANY, DocumentRepository, type Stored } from './document.repository.js';

/** The storage that documents use, and its limits. */
export interface DocumentStorageView extends Stored {
  maxDocuments: number;
  maxBytes: number;
}

/** Limits how many documents, and how many bytes of them, companies and members may have. */
@Injectable()
export class DocumentStorage {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly documents: DocumentRepository,
    private readonly members: MembersService,
  ) {}

  /**
   * Rejects with CONFLICT when the member or the company exceeds its limit, including what `tx` has added. Adding a
   * document locks the totals, so of two concurrent uploads the second sees the first.
   */
  async check(tx: Transaction, memberId: string): Promise<void> {
    const [own, all] = await awaitAll([
      this.documents.findTotal(tx, memberId),
      this.documents.findTotal(tx, COMPANY),
    ]);
    const { member, company } = this.config.documents;
    // Documents of removed members count for the company only.
    if (memberId !== NIL_ID) refuseTooMuch('You have', own, member);
    refuseTooMuch('Your company has', all, company);
  }

  /** The company's storage, for admins; or a member's, for admins and the member. */
  find(viewer: Viewer, memberId: string | null): Promise<DocumentStorageView> {
    if (viewer.role === 'MEMBER' && memberId !== viewer.id)
      throw new DomainError('FORBIDDEN', 'Members are shown their own documents’ room: give your own id.');
    return this.database.read(viewer.companyId, async (tx) => {
      if (memberId !== null) await this.members.get(tx, memberId);
      const { member, company } = this.config.documents;
      return {
        ...(await this.documents.findTotal(tx, memberId ?? COMPANY)),
        ...(memberId === null ? company : member),
      };
    });
  }
}

function refuseTooMuch(
  whose: string,
  stored: Stored,
  { maxDocuments, maxBytes }: Config['documents']['member'],
): void {
  if (stored.documents > maxDocuments)
    throw full(`${whose} as many documents as there may be: ${maxDocuments}.`, { limit: maxDocuments });
  if (stored.bytes > maxBytes) {
    throw full(`${whose} no room left for it: all documents together may have ${maxBytes} bytes.`, {
      limit: maxBytes,
      needed: stored.bytes - maxBytes,
    });
  }
}

function full(what: string, facts: object): DomainError {
  return new DomainError('CONFLICT', `${what} Delete some, or ask whoever runs this server for more.`, {
    ...facts,
  });
}
