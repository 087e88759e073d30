import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { mapWithConcurrency } from '@palabre/async';
import { z } from 'zod';
import {
  MAX_ENTRY_BYTES,
  MAX_FILES,
  type Pack,
  packOf,
  PackRefused,
  packRemark,
  packRemarkCodes,
  type UnpackedPack,
  withUnknownAssistants,
} from '@palabre/skill-pack';

import { newId } from '../../common/ids.js';
import { ShippedAssistants } from '../../companies/assistants/definitions/shipped-assistants.service.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { defineJob, JobQueue } from '../../platform/jobs/job-queue.js';
import { FileStorage } from '../../platform/storage/file-storage.js';
import type { SkillDefinition } from '../skill.repository.js';
import { type SkillMaker, SkillMakers } from '../skill-sources.service.js';
import { storedContent } from './stored-packs.js';

/**
 * Removes the files of a pack that no row refers to any more. A job, so that they are removed even if this server dies
 * after the commit.
 */
const removePackFiles = defineJob({
  name: 'remove-pack-files',
  data: z.object({ companyId: z.uuid(), folder: z.string().max(200) }),
  keyOf: ({ folder }) => folder,
  // In a bucket each file is a request.
  maxSeconds: 300,
  atATime: 1,
});

/** Stores the files of uploaded packs, and creates packs from their rows. */
@Injectable()
export class PackMaker implements SkillMaker, OnModuleInit, OnApplicationBootstrap {
  readonly kind = 'INSTRUCTIONS';

  constructor(
    private readonly makers: SkillMakers,
    private readonly storage: FileStorage,
    private readonly assistants: ShippedAssistants,
    private readonly jobs: JobQueue,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.makers.register(this);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(removePackFiles, ({ folder }) => this.storage.removeAll(folder));
  }

  make(key: string, definition: SkillDefinition): Pack {
    return withUnknownAssistants(packFrom(this.storage, { ...definition, key }), this.assistants);
  }

  /**
   * Stores each pack in a new folder, which is not read before its settings are stored. A failure removes all files.
   */
  async store(companyId: string, packs: readonly UnpackedPack[], signal: AbortSignal): Promise<StoredPack[]> {
    const stored = packs.map((pack) => toBeStored(`companies/${companyId}/packs/${newId()}/`, pack));
    try {
      // The files of all packs in one queue: some packs have one, some a thousand.
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

  /** Removes the files of earlier versions after `tx` is committed. */
  async removeLater(tx: Transaction, companyId: string, folders: readonly string[]): Promise<void> {
    for (const folder of folders) await this.jobs.enqueue(tx, removePackFiles, { companyId, folder });
  }

  /** Removes the files of packs that could not be stored. Never rejects: leftover files are harmless. */
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

/** Earlier versions stored its English sentence. */
const Remark = z.union([
  z.object({ code: z.enum(packRemarkCodes), values: z.record(z.string(), z.string().max(2000)) }),
  z
    .string()
    .max(2000)
    .transform((text) => packRemark('SENTENCE', { text })),
]);

/** The settings of an uploaded pack's definition, besides its name and description. */
export const PackSettings = z.object({
  /** The folder in the storage, with a slash at its end. */
  folder: z.string().regex(/^[\w./-]+\/$/),
  files: z
    .array(z.object({ path: z.string().min(1).max(500), bytes: z.int().min(0).max(MAX_ENTRY_BYTES) }))
    .max(MAX_FILES),
  warnings: z.array(Remark).max(100),
  /** Keys of its assistants. Null: all. */
  assistants: z.array(z.string().max(20_000)).max(50).nullable(),
  source: z.literal('UPLOAD'),
});
export type PackSettings = z.output<typeof PackSettings>;

/** The parts of a skill's row and definition that a pack needs. */
interface UploadedPack extends Pick<SkillDefinition, 'name' | 'category' | 'description'> {
  key: string;
  /** Checked here. */
  settings: unknown;
}

/** A pack from an archive, and its settings to store after its files. */
export interface StoredPack {
  pack: UnpackedPack;
  settings: PackSettings;
}

/** `folder`: unique, with a slash at its end, so that nobody reads it before the settings are stored. */
export function toBeStored(folder: string, pack: UnpackedPack): StoredPack {
  const { files, warnings, assistants } = pack;
  return { pack, settings: PackSettings.parse({ folder, files, warnings, assistants, source: 'UPLOAD' }) };
}

/** The files to write, by their keys in the storage. */
export function storedFilesOf({ pack, settings }: StoredPack): { key: string; content: Buffer }[] {
  const keyOf = keysOf(settings);
  const files = pack.files.map(({ path }, index) => ({
    key: keyOf(path),
    content: pack.contents[index] ?? Buffer.alloc(0),
  }));
  return [{ key: keyOf('SKILL.md'), content: pack.skillMd }, ...files];
}

/** The stored pack of a row and definition. Throws PackRefused for invalid settings. */
export function packFrom(storage: FileStorage, uploaded: UploadedPack): Pack {
  const { success, data: settings, error } = PackSettings.safeParse(uploaded.settings);
  if (!success) throw new PackRefused('The stored pack is damaged: upload it again.', { cause: error });
  const { key, name, category, description } = uploaded;
  const { files, warnings, assistants } = settings;
  const facts = { key, name, category, description, assistants, warnings, files };
  return packOf(facts, storedContent(storage, 'SKILL.md', keysOf(settings)), settings.folder);
}

/** By number, because file names may have letters that storage keys cannot have. */
function keysOf({ folder, files }: PackSettings): (path: string) => string {
  const names = new Map(files.map(({ path }, index) => [path, `files/${index}`]));
  names.set('SKILL.md', 'SKILL.md');
  return (path) => folder + (names.get(path) ?? 'files/none');
}
