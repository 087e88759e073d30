import { Injectable } from '@nestjs/common';
import { z } from 'zod';

import type { Viewer } from '../../auth/viewer.js';
import { checkInput } from '../../common/check-input.js';
import { Clock } from '../../common/clock.js';
import { DomainError, notFound } from '../../common/errors/domain-error.js';
import { newId } from '../../common/ids.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { FileName, MediaType } from '../file-input.js';
import { SignedLinks } from '../downloads/signed-links.js';
import type { UploadPurpose } from '../upload.entity.js';
import type { UploadTicket } from './upload-receivers.js';
import { UploadRepository } from './upload.repository.js';

export interface WantedUpload {
  purpose: UploadPurpose;
  /** The file's, as the client has it. */
  name: string;
  mediaType: string;
  maxBytes: number;
  /** What it is for, where that is there before the bytes are. */
  subjectId: string | null;
}

/** The one request that the client may send: the bytes as they are, as its body. */
export interface IssuedUpload {
  url: string;
  method: 'PUT';
  headers: Record<string, string>;
  expiresAt: Date;
}

const Described = z.object({
  name: FileName,
  mediaType: MediaType,
  maxBytes: z.int32().min(1, 'A file has at least one byte.'),
});

/** The right to send one file, once and soon. */
@Injectable()
export class UploadTickets {
  constructor(
    private readonly database: Database,
    private readonly uploads: UploadRepository,
    private readonly links: SignedLinks,
    private readonly clock: Clock,
  ) {}

  /** Rejects with BAD_USER_INPUT for a name or a media type that is none; whoever calls has checked the role. */
  async issue(
    tx: Transaction,
    viewer: Pick<Viewer, 'id'>,
    { purpose, subjectId, ...described }: WantedUpload,
  ): Promise<IssuedUpload> {
    const { name, mediaType, maxBytes } = checkInput(Described, described);
    const { companyId } = tx;
    const ticket = {
      companyId,
      id: newId(),
      memberId: viewer.id,
      purpose,
      subjectId,
      name,
      mediaType,
      maxBytes,
    };
    const expiresAt = this.links.nextExpiry();
    await this.uploads.insert(tx, { ...ticket, expiresAt, usedAt: null, createdAt: this.clock.now() });
    const url = this.links.urlOf('uploads', { ...ticket, expiresAt });
    return { url, method: 'PUT', headers: { 'content-type': mediaType }, expiresAt };
  }

  /**
   * Uses up the ticket that a link leads to, by the last part of its address. Rejects with NOT_FOUND, and with CONFLICT
   * when it has been used.
   */
  async use(token: string): Promise<UploadTicket> {
    const { companyId, id } = this.links.read('uploads', token);
    return this.database.transaction(companyId, async (tx) => {
      const isMine = await this.uploads.use(tx, id, this.clock.now());
      const ticket = await this.uploads.find(tx, id);
      if (!ticket) throw notFound('upload');
      if (!isMine) throw new DomainError('CONFLICT', 'This upload link has been used. Ask for a new one.');
      return ticket;
    });
  }

  /** Gives back a ticket that was used in vain. */
  async free({ companyId, id }: Pick<UploadTicket, 'companyId' | 'id'>): Promise<void> {
    await this.database.transaction(companyId, (tx) => this.uploads.free(tx, id));
  }
}
