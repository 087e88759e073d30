import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/clock.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { Database } from '../../platform/database/database.js';
import { bytesOf, FileStorage } from '../../platform/storage/file-storage.js';
import { isOver } from '../document-view.js';
import { DocumentProgress } from '../document-progress.service.js';
import { PassageIndex } from '../passages/passage-index.service.js';
import { joinedText } from '../search/joining.js';
import type { Attachment } from './attachments.service.js';

type Owner = Pick<Viewer, 'id' | 'companyId'>;

/** The content of attachments, for prompts. */
@Injectable()
export class AttachmentContents {
  constructor(
    private readonly database: Database,
    private readonly progress: DocumentProgress,
    private readonly passages: PassageIndex,
    private readonly storage: FileStorage,
    private readonly clock: Clock,
  ) {}

  /** Resolves when all were read or failed, or after `maxMs`. Rejects with the signal's reason. */
  async whenRead(
    owner: Owner,
    attachments: readonly Attachment[],
    { maxMs, signal }: { maxMs: number; signal: AbortSignal },
  ): Promise<void> {
    const pending = attachments.filter((each) => !isOver(each));
    if (pending.length === 0 || maxMs <= 0) return;
    const streams = await Promise.all(
      pending.map(({ documentId }) => this.progress.follow(owner, documentId)),
    );
    const stop = (): void => streams.forEach((stream) => void stream.return());
    const cancel = this.clock.after(maxMs, stop);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      await Promise.all(
        streams.map(async (stream) => {
          while (!(await stream.next()).done);
        }),
      );
      signal.throwIfAborted();
    } finally {
      cancel();
      signal.removeEventListener('abort', stop);
      stop();
    }
  }

  /** The text of a document of at most `maxPassages` passages. Null: it has more, or is not read yet. */
  async textOf({ companyId, contentId, passages }: Attachment, maxPassages: number): Promise<string | null> {
    if (contentId === null || passages === null || passages > maxPassages) return null;
    const found = await this.database.read(companyId, (tx) =>
      this.passages.list(tx, contentId, 0, maxPassages),
    );
    return joinedText(found);
  }

  async imageOf({ storageKey }: Attachment, signal: AbortSignal): Promise<string> {
    if (storageKey === null) throw new Error('The image has not come.');
    return (await bytesOf(await this.storage.read(storageKey, signal))).toString('base64');
  }
}
