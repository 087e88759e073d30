import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';

import { newId } from '../../../common/ids.js';
import { LOGGER, type Logger } from '../../../common/process/logger.js';
import { FileStorage } from '../../../storage/file-storage.js';
import type { SkillDefinition } from '../../definitions/skill-definition.entity.js';
import { type SkillMaker, SkillMakers } from '../../definitions/skill-maker.js';
import type { Pack } from '../../skill.js';
import { aFewAtATime } from '../folders/a-few-at-a-time.js';
import type { UnpackedPack } from '../archive/pack-archive.js';
import { packFrom, type StoredPack, storedFilesOf, toBeStored } from './uploaded-pack.js';
import { MAX_ENTRY_BYTES } from '../archive/zip-entries.js';

/** Keeps the files of uploaded packs, and makes the packs out of their rows. */
@Injectable()
export class PackMaker implements SkillMaker, OnModuleInit {
  readonly kind = 'INSTRUCTIONS';

  constructor(
    private readonly makers: SkillMakers,
    private readonly storage: FileStorage,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.makers.register(this);
  }

  make(key: string, { name, category, description, settings }: SkillDefinition): Pack {
    return packFrom(this.storage, { key, name, category, description, settings });
  }

  /** Each in a folder of its own, where nobody looks before its settings are kept. What breaks off leaves nothing of any. */
  async store(companyId: string, packs: readonly UnpackedPack[], signal: AbortSignal): Promise<StoredPack[]> {
    const stored = packs.map((pack) => toBeStored(`companies/${companyId}/packs/${newId()}/`, pack));
    try {
      // The files of all packs in one row: some have one, some a thousand.
      await aFewAtATime(stored.flatMap(storedFilesOf), async ({ key, content }) => {
        signal.throwIfAborted();
        const mediaType = 'application/octet-stream';
        await this.storage.write(key, content, { mediaType, maxBytes: MAX_ENTRY_BYTES, signal });
      });
      signal.throwIfAborted();
      return stored;
    } catch (error) {
      await this.remove(stored.map(({ settings }) => settings.folder));
      throw error;
    }
  }

  /** Never rejects: what is done is done, and files that stay behind are in nobody's way. */
  async remove(folders: readonly string[]): Promise<void> {
    await aFewAtATime(folders, async (folder) => {
      try {
        await this.storage.removeAll(folder);
      } catch (error) {
        this.logger.error({ err: error, folder }, 'the files of a pack stay behind');
      }
    });
  }
}
