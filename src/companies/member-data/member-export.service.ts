import { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import type { Viewer } from '../../auth/viewer.js';
import { Calendar } from '../../common/calendar.js';
import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { Database } from '../../database/database.js';
import type { StoredFile } from '../../files/stored-file.entity.js';
import { StoredFilesService } from '../../files/stored-files.service.js';
import { type ExportPage, MemberData, type ReadPage } from './member-data.js';
import { zipped } from './zipped.js';

const RETRY_SECONDS = 10;

/** Gives members what is kept of them. Nobody else is given it: a member's conversations are theirs alone. */
@Injectable()
export class MemberExport {
  /** Members who are being given theirs by this process. */
  private readonly underWay = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly data: MemberData,
    private readonly files: StoredFilesService,
    private readonly clock: Clock,
    private readonly calendar: Calendar,
  ) {}

  /**
   * Stores all of the viewer's data as one of their files, in the place of the export before it: a .zip of a file a
   * part, each line of which is JSON. It is read page by page, each as it is at that moment. Rejects with RATE_LIMITED
   * while another one of theirs is made here.
   */
  async create(viewer: Viewer): Promise<StoredFile> {
    if (this.underWay.has(viewer.id)) throw oneAtATime();
    this.underWay.add(viewer.id);
    try {
      return await this.store(viewer);
    } finally {
      this.underWay.delete(viewer.id);
    }
  }

  private async store(viewer: Viewer): Promise<StoredFile> {
    const day = this.calendar.dayOf(this.clock.now());
    const archive = zipped(
      this.data.parts.map(({ name, read }) => ({
        name: `${name}.ndjson`,
        pieces: this.linesOf(viewer, read),
      })),
    );
    const file = await this.files.create(viewer.companyId, viewer.id, {
      kind: 'EXPORT',
      name: `palabre-${day}.zip`,
      mediaType: 'application/zip',
      content: Readable.from(archive, { objectMode: false }),
      turnId: null,
    });
    await this.files.removeOthersOf(viewer, file);
    return file;
  }

  private async *linesOf({ companyId, id }: Viewer, read: ReadPage): AsyncGenerator<string> {
    let after: string | null = null;
    do {
      const from: string | null = after;
      const page: ExportPage = await this.database.read(companyId, (tx) => read(tx, id, from));
      if (page.items.length > 0) yield `${page.items.map((item) => JSON.stringify(item)).join('\n')}\n`;
      after = page.next;
    } while (after !== null);
  }
}

const oneAtATime = (): DomainError =>
  new DomainError('RATE_LIMITED', 'Your data are being put together already. Wait until that is done.', {
    retryAfter: RETRY_SECONDS,
    limit: 1,
  });
