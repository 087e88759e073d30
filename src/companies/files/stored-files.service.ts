import type { Readable } from 'node:stream';

import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { z } from 'zod';

import type { Viewer } from '../auth/viewer.js';
import { checkInput } from '../../common/check-input.js';
import { Clock } from '../../common/clock.js';
import { notFound } from '../../common/errors/domain-error.js';
import { isId, newId } from '../../common/ids.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../../common/schema/page.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { FileStorage } from '../../platform/storage/file-storage.js';
import { removeFileBytes } from '../companies.jobs.js';
import { Downloads, type FileLink } from './downloads.service.js';
import { FileName, MediaType } from './file-input.js';
import type { StoredFile, StoredFileKind } from './stored-file.entity.js';
import { storedFileOrder, StoredFileRepository } from './stored-file.repository.js';

interface NewStoredFile {
  kind: StoredFileKind;
  name: string;
  mediaType: string;
  content: Uint8Array;
  turnId: string | null;
}

/** A new file whose content may be a stream. A stream is read to its end, or destroyed. */
type StreamedFile = Omit<NewStoredFile, 'content'> & { content: Uint8Array | Readable };

/** The largest size that the `bytes` column can hold. */
const MAX_STREAMED_BYTES = 2 ** 31 - 1;

const BATCH = 100;

/** More than a turn has steps. */
export const MAX_FILES_OF_TURN = 100;

const FileDescription = z.object({ name: FileName, mediaType: MediaType });

type Owner = Pick<Viewer, 'id' | 'companyId'>;

/** Files belong to the member for whom they were made. Others reach them by a link only. */
@Injectable()
export class StoredFilesService implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly files: StoredFileRepository,
    private readonly storage: FileStorage,
    private readonly downloads: Downloads,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(removeFileBytes, ({ storageKey }) => this.storage.remove(storageKey));
  }

  /** Stores a file. Rejects with BAD_USER_INPUT for an invalid name. `signal` can abort it until the bytes are stored. */
  async create(
    companyId: string,
    memberId: string,
    { content, kind, turnId, ...described }: StreamedFile,
    signal?: AbortSignal,
  ): Promise<StoredFile> {
    const { name, mediaType } = checkInput(FileDescription, described);
    const id = newId();
    const storageKey = `files/${companyId}/${id}`;
    const maxBytes = content instanceof Uint8Array ? content.byteLength : MAX_STREAMED_BYTES;
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

  linkTo({ companyId, id, memberId }: Pick<StoredFile, 'companyId' | 'id' | 'memberId'>): FileLink {
    return this.downloads.linkTo({ companyId, id }, memberId);
  }

  async find(owner: Owner, id: string): Promise<StoredFile | null> {
    if (!isId(id)) return null;
    return this.database.read(owner.companyId, (tx) => this.files.find(tx, { memberId: owner.id, id }));
  }

  list(owner: Owner, page: ForwardPageArguments): Promise<Page<StoredFile>> {
    const request = pageRequest(page, storedFileOrder);
    return this.database.read(owner.companyId, (tx) =>
      this.files.page(tx, storedFileOrder, request, { memberId: owner.id }),
    );
  }

  /** The owner's files that were made in these turns, the first of each turn first. */
  listOfTurns(owner: Owner, turnIds: readonly string[]): Promise<StoredFile[]> {
    return this.database.read(owner.companyId, (tx) =>
      this.files.listOfTurns(tx, owner.id, turnIds, MAX_FILES_OF_TURN),
    );
  }

  /** Rejects with NOT_FOUND. */
  async remove(owner: Owner, id: string): Promise<void> {
    if (!isId(id)) throw notFound('file');
    if (!(await this.removeIfThere(owner, id))) throw notFound('file');
  }

  /** Removes the owner's other files of the same kind. */
  async removeOthersOf(owner: Owner, file: StoredFile): Promise<void> {
    const others = await this.database.read(owner.companyId, (tx) =>
      this.files.listOthersOf(tx, file, BATCH),
    );
    for (const id of others) await this.removeIfThere(owner, id);
  }

  /** Removes all files of the owner. Rejects as soon as the signal is aborted. */
  async removeAll(owner: Owner, signal: AbortSignal): Promise<void> {
    for (;;) {
      const files = await this.database.read(owner.companyId, (tx) =>
        this.files.listAfter(tx, { memberId: owner.id }, null, BATCH),
      );
      if (files.length === 0) return;
      for (const { id } of files) {
        signal.throwIfAborted();
        await this.removeIfThere(owner, id);
      }
    }
  }

  /** Rejects when the member has a file: deleting the member would leave its bytes in the storage. */
  async requireNone(tx: Transaction, memberId: string): Promise<void> {
    const [file] = await this.files.listAfter(tx, { memberId }, null, 1);
    if (file) throw new Error('A file was made for a member who is being removed.');
  }

  /** A page of a member's files in the order of their ids, from the first when `after` is null. */
  listAfter(tx: Transaction, memberId: string, after: string | null, limit: number): Promise<StoredFile[]> {
    return this.files.listAfter(tx, { memberId }, after, limit);
  }

  /** A file of any member of the company: for link holders. */
  findLinked(companyId: string, id: string): Promise<StoredFile | null> {
    return this.database.read(companyId, (tx) => this.files.find(tx, { id }));
  }

  /** The bytes are removed by a job, so that neither a dying server nor a storage that is away leaves them behind. */
  private removeIfThere(owner: Owner, id: string): Promise<boolean> {
    return this.database.transaction(owner.companyId, async (tx) => {
      const storageKey = await this.files.take(tx, owner.id, id);
      if (storageKey !== null) await this.jobs.enqueue(tx, removeFileBytes, { storageKey });
      return storageKey !== null;
    });
  }

  /** Removes the bytes of a file whose row could not be stored. Never rejects. */
  private async removeBytes(key: string): Promise<void> {
    await this.storage.remove(key).catch((error: unknown) => {
      this.logger.warn({ err: error, key }, 'the bytes of a file could not be removed');
    });
  }
}
