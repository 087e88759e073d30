import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { mapWithConcurrency } from '@palabre/async';
import { z } from 'zod';
import {
  MAX_ENTRY_BYTES,
  MAX_FILES,
  type Pack,
  packOf,
  PackRefused,
  type UnpackedPack,
  withUnknownAssistants,
} from '@palabre/skill-pack';

import { newId } from '../../common/ids.js';
import { ShippedAssistants } from '../../companies/assistants/definitions/shipped-assistants.service.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { FileStorage } from '../../platform/storage/file-storage.js';
import type { SkillDefinition } from '../skill.repository.js';
import { type SkillMaker, SkillMakers } from '../skill-sources.service.js';
import { storedContent } from './stored-packs.js';

/** Stores the files of uploaded packs, and makes packs of their rows. */
@Injectable()
export class PackMaker implements SkillMaker, OnModuleInit {
  readonly kind = 'INSTRUCTIONS';

  constructor(
    private readonly makers: SkillMakers,
    private readonly storage: FileStorage,
    private readonly assistants: ShippedAssistants,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.makers.register(this);
  }

  make(key: string, definition: SkillDefinition): Pack {
    return withUnknownAssistants(packFrom(this.storage, { ...definition, key }), this.assistants);
  }

  /** Stores each pack in a new folder. Nobody reads it before its settings are stored. On failure all files are removed. */
  async store(companyId: string, packs: readonly UnpackedPack[], signal: AbortSignal): Promise<StoredPack[]> {
    const stored = packs.map((pack) => toBeStored(`companies/${companyId}/packs/${newId()}/`, pack));
    try {
      // The files of all packs in one row: some have one, some a thousand.
      await mapWithConcurrency(stored.flatMap(storedFilesOf), async ({ key, content }) => {
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

  /** Never rejects: files that stay behind do no harm. */
  async remove(folders: readonly string[]): Promise<void> {
    await mapWithConcurrency(folders, async (folder) => {
      try {
        await this.storage.removeAll(folder);
      } catch (error) {
        this.logger.error({ err: error, folder }, 'the files of a pack stay behind');
      }
    });
  }
}

/** What a company's uploaded pack is known by besides its name and description: the settings of its definition. */
export const PackSettings = z.object({
  /** Folder of the storage, with a slash at its end. */
  folder: z.string().regex(/^[\w./-]+\/$/),
  files: z
    .array(z.object({ path: z.string().min(1).max(500), bytes: z.int().min(0).max(MAX_ENTRY_BYTES) }))
    .max(MAX_FILES),
  warnings: z.array(z.string().max(2000)).max(100),
  /** Keys of the assistants that it is for; null: all. */
  assistants: z.array(z.string().max(20_000)).max(50).nullable(),
  source: z.literal('UPLOAD'),
});
export type PackSettings = z.output<typeof PackSettings>;

/** Of a skill's row and definition, what a pack is made of. */
interface UploadedPack extends Pick<SkillDefinition, 'name' | 'category' | 'description'> {
  key: string;
  /** Checked here. */
  settings: unknown;
}

/** A pack out of an archive, and the settings to keep of it once its files are stored. */
export interface StoredPack {
  pack: UnpackedPack;
  settings: PackSettings;
}

/** `folder`: with a slash at its end, and nobody else's, so that nobody reads it before the settings are kept. */
export function toBeStored(folder: string, pack: UnpackedPack): StoredPack {
  const { files, warnings, assistants } = pack;
  return { pack, settings: PackSettings.parse({ folder, files, warnings, assistants, source: 'UPLOAD' }) };
}

/** What is to be written into the storage, by its keys there. */
export function storedFilesOf({ pack, settings }: StoredPack): { key: string; content: Buffer }[] {
  const keyOf = keysOf(settings);
  const files = pack.files.map(({ path }, index) => ({
    key: keyOf(path),
    content: pack.contents[index] ?? Buffer.alloc(0),
  }));
  return [{ key: keyOf('SKILL.md'), content: pack.skillMd }, ...files];
}

/** The pack that was stored, as its row and definition describe it. Throws PackRefused for settings that are none. */
export function packFrom(storage: FileStorage, uploaded: UploadedPack): Pack {
  const { success, data: settings, error } = PackSettings.safeParse(uploaded.settings);
  if (!success) throw new PackRefused('The stored pack is damaged: upload it again.', { cause: error });
  const { key, name, category, description } = uploaded;
  const { files, warnings, assistants } = settings;
  const facts = { key, name, category, description, assistants, warnings, files };
  return packOf(facts, storedContent(storage, 'SKILL.md', keysOf(settings)), settings.folder);
}

/** By number: people's names of files may have any letters, keys of the storage may not. */
function keysOf({ folder, files }: PackSettings): (path: string) => string {
  const names = new Map(files.map(({ path }, index) => [path, `files/${index}`]));
  names.set('SKILL.md', 'SKILL.md');
  return (path) => folder + (names.get(path) ?? 'files/none');
}
