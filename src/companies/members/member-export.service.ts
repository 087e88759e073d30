import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { strToU8, Zip, ZipDeflate } from 'fflate';

import { Calendar } from '../../common/calendar.js';
import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { Database } from '../../platform/database/database.js';
import type { Viewer } from '../auth/viewer.js';
import type { StoredFile } from '../files/stored-file.entity.js';
import { StoredFilesService } from '../files/stored-files.service.js';
import { type ExportPage, MemberData, type ReadPage, EXPORT_PAGE, pageById } from './member-data.js';
import { MembersService } from './members.service.js';

const RETRY_SECONDS = 10;

/** Exports a member's data. Only the members themselves can: their conversations are private. */
@Injectable()
export class MemberExport {
  /** The ids of members whose export is being made in this process. */
  private readonly underWay = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly data: MemberData,
    private readonly files: StoredFilesService,
    private readonly clock: Clock,
    private readonly calendar: Calendar,
    members: MembersService,
  ) {
    data.onExport('profile', async (tx, memberId) => {
      const { id, subject, name, email, role, createdAt } = await members.get(tx, memberId);
      return { items: [{ id, subject, name, email, role, createdAt }], next: null };
    });
    // The files themselves can be downloaded by links.
    const names = ['id', 'kind', 'name', 'mediaType', 'bytes', 'sha256', 'createdAt'] as const;
    data.onExport('files', async (tx, memberId, after) =>
      pageById(await files.listAfter(tx, memberId, after, EXPORT_PAGE), names),
    );
  }

  /**
   * Stores all of the viewer's data as one of their files, which replaces the previous export: a .zip with an .ndjson
   * file for each part. Each page is read in its own transaction, so the export is not a snapshot. Rejects with
   * RATE_LIMITED while another export of the viewer is being made in this process.
   */
  async create(viewer: Viewer): Promise<StoredFile> {
    if (this.underWay.has(viewer.id)) throw exportUnderWay();
    this.underWay.add(viewer.id);
    try {
      return await this.store(viewer);
    } finally {
      this.underWay.delete(viewer.id);
    }
  }

  private async store(viewer: Viewer): Promise<StoredFile> {
    const day = this.calendar.dayOf(this.clock.now());
    const archive = zipStream(
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

function exportUnderWay(): DomainError {
  return new DomainError(
    'RATE_LIMITED',
    'Your data are being put together already. Wait until that is done.',
    {
      retryAfter: RETRY_SECONDS,
      limit: 1,
    },
  );
}

/** A file of an archive, whose text comes piece by piece. */
interface ZippedText {
  name: string;
  pieces: AsyncIterable<string>;
}

/** Compressing this much takes a few milliseconds. Then the event loop gets a turn. */
const CHUNK_BYTES = 64 * 1024;

/** Streams a .zip archive. It never holds more than one piece and its compressed bytes in memory. */
export const zipStream = async function* (files: Iterable<ZippedText>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, bytes) => {
    failure ??= error;
    ready.push(bytes);
  });
  const take = (): Uint8Array[] => {
    if (failure) throw failure;
    return ready.splice(0);
  };
  for (const { name, pieces } of files) {
    const file = new ZipDeflate(name);
    zip.add(file);
    for await (const piece of pieces) {
      for (const bytes of chunksOf(strToU8(piece))) {
        file.push(bytes);
        yield* take();
        await setImmediate();
      }
    }
    file.push(new Uint8Array(0), true);
    yield* take();
  }
  zip.end();
  yield* take();
};

const chunksOf = function* (bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += CHUNK_BYTES)
    yield bytes.subarray(start, start + CHUNK_BYTES);
};
