import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  folderPacks,
  type KeptPacks,
  type PackListing,
  type RefusedPack,
  withUnknownAssistants,
} from '@palabre/skill-pack';

import { Clock } from '../../common/clock.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { ShippedAssistants } from '../../companies/assistants/definitions/shipped-assistants.service.js';
import { Config } from '../../common/config/config.js';
import { ConfigError } from '../../common/config/environment.js';
import { FileStorage } from '../../platform/storage/file-storage.js';
import { InstalledSkills } from '../skill-sources.service.js';
import { instructionsOf, type Pack } from '../skill.js';
import { storedPacks } from './stored-packs.js';

const SHIPPED = fileURLToPath(new URL('../../../skills/', import.meta.url));

/** The wait for an unresponsive storage, and for a folder that answered before. */
const AT_START_MS = 5_000;
const LATER_MS = 100;
const FRESH_MS = 1_500;

/** A recurring fault is logged this often. */
const SAY_AGAIN_AFTER_MS = 3_600_000;

const nothing: PackListing = { packs: [], refused: [], revision: 0 };

/** The installation's packs: shipped ones, those in SKILLS_DIR, and those in the storage below `skills/`. */
@Injectable()
export class InstalledPacks implements OnModuleInit {
  private readonly folders: KeptPacks[];
  private readonly stored: KeptPacks;
  private lastStored = nothing;
  private lastInFolders: readonly PackListing[] = [];
  private readAtMs = -Infinity;
  private merged: readonly PackListing[] = [];
  private listing = nothing;
  /** When each refusal was logged, by its text. */
  private said = new Map<string, number>();

  constructor(
    private readonly config: Config,
    storage: FileStorage,
    private readonly clock: Clock,
    private readonly installed: InstalledSkills,
    private readonly assistants: ShippedAssistants,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    installed.register('INSTRUCTIONS', {
      current: async () => {
        const { packs, revision } = await this.current();
        return { revision, list: () => packs.map(instructionsOf) };
      },
    });
    const { packsDir } = config.skills;
    const folders = [SHIPPED, ...(packsDir === null ? [] : [packsDir])];
    this.folders = folders.map((folder) => folderPacks(folder, clock, logger));
    this.stored = storedPacks(storage, clock, logger);
  }

  /** Rejects with ConfigError if SKILLS_DIR is not a folder. Later, it may be unavailable for a while. */
  async onModuleInit(): Promise<void> {
    await checkFolder(this.config.skills.packsDir);
    const search = this.stored.current().then((listing) => (this.lastStored = listing));
    await this.within(search, AT_START_MS);
  }

  /** For packs with the same key the last source wins, so an operator's replaces a shipped one. */
  async current(): Promise<PackListing> {
    // Nobody waits for the storage: the next call sees its current content.
    void this.stored.current().then((listing) => (this.lastStored = listing));
    const search = this.readFolders();
    // After the first read nobody waits long for a disk, and not at all while the listing is fresh: on a busy process
    // everybody would wait otherwise.
    const isFresh = this.clock.now().getTime() - this.readAtMs < FRESH_MS;
    if (this.lastInFolders.length === 0) await search;
    else if (!isFresh) await this.within(search, LATER_MS);
    const listings = [...this.lastInFolders, this.lastStored];
    if (listings.some((listing, index) => listing !== this.merged[index])) {
      this.merged = listings;
      this.listing = this.merge(listings);
    }
    return this.listing;
  }

  /** Refused packs with reasons, including those whose key another skill has. */
  async listRefused(): Promise<RefusedPack[]> {
    const { packs, refused } = await this.current();
    const usable = await this.installed.current();
    const hidden = packs.filter((pack) => usable.get(pack.key)?.pack !== pack);
    const reason = 'Another skill has this key, or it is reserved: rename the folder.';
    return [...refused, ...hidden.map(({ key }) => ({ path: key, reason }))];
  }

  private async readFolders(): Promise<void> {
    this.lastInFolders = await Promise.all(this.folders.map((folder) => folder.current()));
    this.readAtMs = this.clock.now().getTime();
  }

  /** Waits at most `ms`; the search goes on. */
  private async within(search: Promise<unknown>, ms: number): Promise<void> {
    const over = Promise.withResolvers<void>();
    const stop = this.clock.after(ms, over.resolve);
    try {
      await Promise.race([search, over.promise]);
    } finally {
      stop();
    }
  }

  private merge(listings: readonly PackListing[]): PackListing {
    const packs = new Map<string, Pack>(
      listings
        .flatMap((listing) => listing.packs)
        .map((pack) => [pack.key, withUnknownAssistants(pack, this.assistants)]),
    );
    const refused = listings.flatMap((listing) => listing.refused);
    this.say(refused);
    return { packs: [...packs.values()], refused, revision: this.listing.revision + 1 };
  }

  private say(refused: readonly RefusedPack[]): void {
    const nowMs = this.clock.now().getTime();
    this.said = new Map([...this.said].filter(([, atMs]) => nowMs - atMs < SAY_AGAIN_AFTER_MS));
    for (const { path, reason } of refused) {
      const words = `${path}\n${reason}`;
      if (this.said.has(words)) continue;
      this.said.set(words, nowMs);
      this.logger.warn({ path, reason }, 'a SKILL.md cannot be used');
    }
  }
}

async function checkFolder(path: string | null): Promise<void> {
  if (path === null) return;
  await readdir(path).catch(() => {
    throw new ConfigError([`SKILLS_DIR must be a folder that can be read: ${path}.`]);
  });
}
