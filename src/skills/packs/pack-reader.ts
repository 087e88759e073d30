import type { Pack } from '../skill.js';
import { aFewAtATime } from './folders/a-few-at-a-time.js';
import { PackRefused, PackUnread } from './pack-refused.js';

/** A folder with a SKILL.md, wherever it is kept. */
export interface KeptFolder {
  folder: string;
  /** Another as soon as any of its files is. */
  stamp: string;
}

/** What a pack is, or why it is refused. */
interface Read {
  path: string;
  /** Of the folder that was read; null: to be read again at the next look. */
  stamp: string | null;
  result: Pack | string;
  /** Why the folder as it is now could not be read: the result is of an earlier time. */
  unread: string | null;
}

/** Reads packs, and those that have been read only when their stamp has changed. */
export class PackReader<Folder extends KeptFolder> {
  private known = new Map<string, Read>();

  /**
   * `read` rejects with PackRefused for a pack that cannot be used, with PackUnread for one that may be readable at the
   * next look: until then it stays as it was. Any other rejection ends it all.
   */
  constructor(private readonly read: (folder: Folder) => Promise<Pack>) {}

  async readAll(folders: readonly Folder[]): Promise<PacksRead> {
    const results = await aFewAtATime(folders, (folder) => this.look(folder));
    this.known = new Map(results.map((result) => [result.path, result]));
    const read: PacksRead = { packs: [], refused: [] };
    for (const { path, result, unread } of results) {
      if (typeof result === 'string') read.refused.push({ path, reason: result });
      else read.packs.push({ path, pack: result });
      if (unread !== null) read.refused.push({ path, reason: `${unread} Until then it stays as it was.` });
    }
    return read;
  }

  private async look(folder: Folder): Promise<Read> {
    const { folder: path, stamp } = folder;
    const known = this.known.get(path);
    if (known?.stamp === stamp) return { ...known, unread: null };
    try {
      return { path, stamp, result: await this.resultOf(folder), unread: null };
    } catch (error) {
      if (!(error instanceof PackUnread)) throw error;
      // Remembered under its earlier stamp, which is not that of the folder: it is read at the next look.
      if (known && typeof known.result !== 'string') return { ...known, unread: error.message };
      return { path, stamp: null, result: error.message, unread: null };
    }
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
