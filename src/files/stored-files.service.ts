import type { Readable } from 'node:stream';

import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';

import type { Viewer } from '../auth/viewer.js';
import { checkInput } from '../common/check-input.js';
import { Clock } from '../common/clock.js';
import { notFound } from '../common/errors/domain-error.js';
import { isId, newId } from '../common/ids.js';
import { LOGGER, type Logger } from '../common/process/logger.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../common/schema/page.js';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { FileStorage } from '../storage/file-storage.js';
import { Downloads, type FileLink } from './downloads/downloads.service.js';
import { FileName, MediaType } from './file-input.js';
import type { StoredFile, StoredFileKind } from './stored-file.entity.js';
import { storedFileOrder, StoredFileRepository } from './stored-file.repository.js';

export interface NewStoredFile {
  kind: StoredFileKind;
  name: string;
  mediaType: string;
  content: Uint8Array;
  turnId: string | null;
}

/** The same, whose bytes may come as they are made: a stream is read to its end, or destroyed. */
type StreamedFile = Omit<NewStoredFile, 'content'> & { content: Uint8Array | Readable };

/** As many as its row can count. */
const MOST_STREAMED_BYTES = 2 ** 31 - 1;

const AT_ONCE = 100;

const Described = z.object({ name: FileName, mediaType: MediaType });

type Owner = Pick<Viewer, 'id' | 'companyId'>;

/** Files belong to the member for whom they were made: to everybody else they do not exist, but by a link. */
@Injectable()
export class StoredFilesService {
  constructor(
    private readonly database: Database,
    private readonly files: StoredFileRepository,
    private readonly storage: FileStorage,
    private readonly downloads: Downloads,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Stores a file. Rejects with BAD_USER_INPUT for a name that is none; `signal` is heeded until the bytes are stored. */
  async create(
    companyId: string,
    memberId: string,
    { content, kind, turnId, ...described }: StreamedFile,
    signal?: AbortSignal,
  ): Promise<StoredFile> {
    const { name, mediaType } = checkInput(Described, described);
    const id = newId();
    const storageKey = `files/${companyId}/${id}`;
    const maxBytes = content instanceof Uint8Array ? content.byteLength : MOST_STREAMED_BYTES;
    const options = { mediaType, maxBytes, ...(signal && { signal }) };
    const { bytes, sha256 } = await this.storage.write(storageKey, content, options);
    const stored = { bytes, sha256, storageKey, createdAt: this.clock.now() };
    const file: StoredFile = { companyId, id, memberId, kind, name, mediaType, turnId, ...stored };
    try {
      await this.database.transaction(companyId, (tx) => this.files.insert(tx, file));
    } catch (error) {
      await this.removeBytes(storageKey);
      throw error;
    }
    return file;
  }

  linkTo({ companyId, id }: Pick<StoredFile, 'companyId' | 'id'>): FileLink {
    return this.downloads.linkTo({ companyId, id });
  }

  async find(owner: Owner, id: string): Promise<StoredFile | null> {
    if (!isId(id)) return null;
    return this.database.read(owner.companyId, (tx) => this.files.findOf(tx, owner.id, id));
  }

  list(owner: Owner, page: ForwardPageArguments): Promise<Page<StoredFile>> {
    const request = pageRequest(page, storedFileOrder);
    return this.database.read(owner.companyId, (tx) => this.files.list(tx, owner.id, request));
  }

  /** Rejects with NOT_FOUND. */
  async remove(owner: Owner, id: string): Promise<void> {
    if (!isId(id)) throw notFound('file');
    if (!(await this.removeIfThere(owner, id))) throw notFound('file');
  }

  /** Removes the files of the same kind that the owner has besides. */
  async removeOthersOf(owner: Owner, file: StoredFile): Promise<void> {
    const others = await this.database.read(owner.companyId, (tx) =>
      this.files.listOthersOf(tx, file, AT_ONCE),
    );
    for (const id of others) await this.removeIfThere(owner, id);
  }

  /** Removes all that the owner has; rejects as soon as the signal is aborted. */
  async removeAll(owner: Owner, signal: AbortSignal): Promise<void> {
    for (;;) {
      const files = await this.database.read(owner.companyId, (tx) =>
        this.files.listAfter(tx, owner.id, null, AT_ONCE),
      );
      if (files.length === 0) return;
      for (const { id } of files) {
        signal.throwIfAborted();
        await this.removeIfThere(owner, id);
      }
    }
  }

  /** Rejects when the member has a file, whose bytes would be left behind. */
  async requireNone(tx: Transaction, memberId: string): Promise<void> {
    const [file] = await this.files.listAfter(tx, memberId, null, 1);
    if (file) throw new Error('A file was made for a member who is being removed.');
  }

  /** The first `limit` of a member's after the id `after`, in the order of their ids. */
  listAfter(tx: Transaction, memberId: string, after: string | null, limit: number): Promise<StoredFile[]> {
    return this.files.listAfter(tx, memberId, after, limit);
  }

  /** One of a company, whoever's it is: for those who have a link to it. */
  findLinked(companyId: string, id: string): Promise<StoredFile | null> {
    return this.database.read(companyId, (tx) => this.files.find(tx, id));
  }

  private async removeIfThere(owner: Owner, id: string): Promise<boolean> {
    const key = await this.database.transaction(owner.companyId, (tx) => this.files.delete(tx, owner.id, id));
    if (key !== null) await this.removeBytes(key);
    return key !== null;
  }

  /** Nothing leads to them any more: what cannot be removed just now takes up room and does no other harm. */
  private async removeBytes(key: string): Promise<void> {
    await this.storage.remove(key).catch((error: unknown) => {
      this.logger.warn({ err: error, key }, 'the bytes of a file could not be removed');
    });
  }
}
