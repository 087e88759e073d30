import { Injectable, Inject, type OnApplicationBootstrap } from '@nestjs/common';
import { z } from 'zod';

import { checkInput } from '../../common/check-input.js';
import { Clock } from '../../common/clock.js';
import { DomainError, existing, notFound } from '../../common/errors/domain-error.js';
import { newId } from '../../common/ids.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { JobQueue, workRepeatedly } from '../../platform/jobs/job-queue.js';
import { FileStorage } from '../../platform/storage/file-storage.js';
import type { Viewer } from '../auth/viewer.js';
import { expireUploads } from '../companies.jobs.js';
import { MemberRepository } from '../members/member.repository.js';
import { FileName, MediaType } from './file-input.js';
import { SignedLinks } from './signed-links.js';
import { type Upload, type UploadPurpose, UploadRepository } from './upload.repository.js';

/** The terms of an upload, fixed when its link was issued. */
export type UploadTicket = Readonly<Omit<Upload, 'expiresAt' | 'usedAt' | 'createdAt'>>;

export interface WantedUpload {
  purpose: UploadPurpose;
  /** The client's file name. */
  name: string;
  mediaType: string;
  maxBytes: number;
  /** The row that the upload is for, such as a document; null: it is created from the bytes. */
  subjectId: string | null;
}

/** The one request that the client may send, with the raw bytes as its body. */
export interface IssuedUpload {
  url: string;
  method: 'PUT';
  headers: Record<string, string>;
  expiresAt: Date;
}

const FileDescription = z.object({
  name: FileName,
  mediaType: MediaType,
  maxBytes: z.int32().min(1, 'A file has at least one byte.'),
});

@Injectable()
export class UploadTickets {
  constructor(
    private readonly database: Database,
    private readonly uploads: UploadRepository,
    private readonly members: MemberRepository,
    private readonly links: SignedLinks,
    private readonly clock: Clock,
  ) {}

  /** Rejects with BAD_USER_INPUT for an invalid name or media type. The caller has checked the role. */
  async issue(
    tx: Transaction,
    viewer: Pick<Viewer, 'id'>,
    { purpose, subjectId, ...described }: WantedUpload,
  ): Promise<IssuedUpload> {
    const { name, mediaType, maxBytes } = checkInput(FileDescription, described);
    const link = { id: newId(), memberId: viewer.id, expiresAt: this.links.nextExpiry() };
    const ticket = { ...link, purpose, subjectId, name, mediaType, maxBytes };
    await this.uploads.insert(tx, { ...ticket, createdAt: this.clock.now() });
    const url = this.links.urlOf('uploads', { ...link, companyId: tx.companyId });
    return { url, method: 'PUT', headers: { 'content-type': mediaType }, expiresAt: link.expiresAt };
  }

  /**
   * Uses up the ticket of a link. `token` is the last part of its URL. Rejects with NOT_FOUND, and with CONFLICT when
   * the ticket was used before.
   */
  async use(token: string): Promise<UploadTicket> {
    const { companyId, id, memberId } = this.links.read('uploads', token);
    return this.database.transaction(companyId, async (tx) => {
      if (!(await this.members.listActive(tx, [memberId])).has(memberId)) throw notFound('link');
      // Only one of concurrent requests finds it unused.
      const wasUnused = await this.uploads.update(tx, { id, usedAt: null }, { usedAt: this.clock.now() });
      const ticket = existing(await this.uploads.find(tx, { id }), 'upload');
      if (!wasUnused) throw new DomainError('CONFLICT', 'This upload link has been used. Ask for a new one.');
      return ticket;
    });
  }

  /** Makes a ticket usable again after an upload that failed. */
  async release({ companyId, id }: Pick<UploadTicket, 'companyId' | 'id'>): Promise<void> {
    await this.database.transaction(companyId, (tx) => this.uploads.update(tx, { id }, { usedAt: null }));
  }
}

/** Removes expired tickets, and what uploads left half written, every hour. */
@Injectable()
export class UploadExpiry implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly uploads: UploadRepository,
    private readonly storage: FileStorage,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await workRepeatedly(this.jobs, this.database, expireUploads, () => this.removeExpired());
  }

  /** Safe to run twice at once. */
  async removeExpired(): Promise<void> {
    const removed = await this.database.systemTransaction((tx) =>
      this.uploads.deleteExpired(tx, this.clock.now()),
    );
    if (removed > 0) this.logger.info({ uploads: removed }, 'upload tickets that are over were removed');
    await this.storage.removeAbandoned();
  }
}
