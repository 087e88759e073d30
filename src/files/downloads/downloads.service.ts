import type { Readable } from 'node:stream';

import { Inject, Injectable } from '@nestjs/common';

import { notFound } from '../../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { FileNotFound, FileStorage } from '../../storage/file-storage.js';
import { SignedLinks } from './signed-links.js';

/** A file that whoever has a link to it may save, and where its bytes are. */
export interface Download {
  id: string;
  /** As it is saved, with its extension. */
  name: string;
  mediaType: string;
  bytes: number;
  storageKey: string;
}

export interface FileLink {
  /** Gives the file to whoever has it, until `expiresAt`. */
  url: string;
  expiresAt: Date;
}

/** The file of that id; null: there is none of this kind. */
type FindDownload = (companyId: string, id: string) => Promise<Download | null>;

/** What links lead to. Ids do not say what they are of, so every kind is asked. */
@Injectable()
export class Downloads {
  private readonly finders: FindDownload[] = [];

  constructor(
    private readonly links: SignedLinks,
    private readonly storage: FileStorage,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** To be called by the module of each kind of file. */
  register(find: FindDownload): void {
    this.finders.push(find);
  }

  linkTo({ companyId, id }: { companyId: string; id: string }): FileLink {
    const expiresAt = this.links.nextExpiry();
    return { url: this.links.urlOf('files', { companyId, id, expiresAt }), expiresAt };
  }

  /** The file that a link leads to, by the last part of its address. Rejects with NOT_FOUND. */
  async getLinked(token: string): Promise<Download> {
    const { companyId, id } = this.links.read('files', token);
    for (const find of this.finders) {
      const file = await find(companyId, id);
      if (file) return file;
    }
    throw notFound('file');
  }

  /** Its bytes, as a stream that has to be read or destroyed. Rejects with NOT_FOUND when they are lost. */
  async read({ id, storageKey }: Download, signal?: AbortSignal): Promise<Readable> {
    try {
      return await this.storage.read(storageKey, signal);
    } catch (error) {
      if (!(error instanceof FileNotFound)) throw error;
      this.logger.error({ err: error, fileId: id }, 'the bytes of a file are not in the storage');
      throw notFound('file');
    }
  }
}
