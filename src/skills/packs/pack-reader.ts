import type { Pack } from '../skill.js';
import { aFewAtATime } from './a-few-at-a-time.js';
import { PackRefused } from './pack-refused.js';

/** A folder with a SKILL.md, wherever it is kept. */
export interface KeptFolder {
  folder: string;
  /** Another as soon as any of its files is. */
  stamp: string;
}

/** Reads packs, and those that have been read only when their stamp has changed. */
export class PackReader<Folder extends KeptFolder> {
  private known = new Map<string, { stamp: string; result: Pack | string }>();

  /** `read` rejects with PackRefused for a pack that cannot be used; any other rejection ends it all. */
  constructor(private readonly read: (folder: Folder) => Promise<Pack>) {}

  async readAll(folders: readonly Folder[]): Promise<PacksRead> {
    const results = await aFewAtATime(folders, async (folder) => {
      const known = this.known.get(folder.folder);
      const result = known?.stamp === folder.stamp ? known.result : await this.resultOf(folder);
      return { path: folder.folder, stamp: folder.stamp, result };
    });
    this.known = new Map(results.map(({ path, ...known }) => [path, known]));
    const read: PacksRead = { packs: [], refused: [] };
    for (const { path, result } of results) {
      if (typeof result === 'string') read.refused.push({ path, reason: result });
      else read.packs.push({ path, pack: result });
    }
    return read;
  }

  private async resultOf(folder: Folder): Promise<Pack | string> {
    try {
      return await this.read(folder);
    } catch (error) {
      if (error instanceof PackRefused) return error.message;
      throw error;
    }
  }
}

export interface PacksRead {
  packs: { path: string; pack: Pack }[];
  refused: { path: string; reason: string }[];
}
