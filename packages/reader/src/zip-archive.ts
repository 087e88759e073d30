import { isUtf8 } from 'node:buffer';
import { crc32, inflateRawSync } from 'node:zlib';

import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';

import { DocumentRefused } from './parsed-document.js';
import { remark } from './remarks.js';

export interface ZipLimits {
  entries: number;
  /** The most bytes of one entry, unpacked. */
  entryBytes: number;
  /** The most bytes of all entries that are read. */
  unpackedBytes: number;
  /** The declared size of all entries, including pictures and films that are never unpacked. */
  declaredBytes: number;
  /** Sheets of empty cells shrink to a three-hundredth. What shrinks further is an attack. */
  ratio: number;
  /** Smaller archives are not checked for it. */
  unsuspiciousBytes: number;
}

const LIMITS: ZipLimits = {
  entries: 10_000,
  entryBytes: 100_000_000,
  unpackedBytes: 200_000_000,
  declaredBytes: 2_000_000_000,
  ratio: 500,
  unsuspiciousBytes: 20_000_000,
};

/** The record at the end of an archive. Only a comment may follow. */
const END_MARK = 'PK\x05\x06';
const END_BYTES = 22;
const MAX_END_BYTES = END_BYTES + 0xffff;

const UTF8_NAME = 0x800;
const STORED = 0;
const DEFLATED = 8;

/** A zip archive in memory. Entries are unpacked on demand, within limits for all together. */
export interface ZipArchive {
  /** Paths of the files with slashes, in the archive's order, without folders. */
  names: readonly string[];
  /**
   * The content of a file; case may differ. Null: there is none. Throws DocumentRefused if it is encrypted or too
   * large, and ZipEntryDamaged.
   */
  read(name: string): Uint8Array | null;
}

/** An entry cannot be unpacked. Others of the same archive may be intact. */
export class ZipEntryDamaged extends Error {
  override readonly name = 'ZipEntryDamaged';
}

/**
 * Reads the directory of an archive. Throws DocumentRefused for a zip bomb and for overlapping files, and another
 * error if it is not a zip archive or lost its end.
 */
export async function openZip(bytes: Uint8Array, limits = LIMITS): Promise<ZipArchive> {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const zip = await fromBufferPromise(archive, { decodeStrings: false, validateEntrySizes: false });
  if (zip.entryCount > limits.entries)
    throw new DocumentRefused(remark('TOO_MANY_PARTS', { most: limits.entries }));
  const entries = await placesOf(zip);
  const declared = [...entries.values()].reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
  if (declared > limits.declaredBytes) throw unpacksToTooMuch();
  if (doOverlap(entries.values())) throw new DocumentRefused(remark('DAMAGED'));
  return new EntryReader(archive, entries, limits);
}

/** An entry and the start of its bytes, after its variable local header. Null: not where the directory says. */
interface Place {
  entry: Entry;
  start: number | null;
}

async function placesOf(zip: ZipFile): Promise<Map<string, Place>> {
  const entries = new Map<string, Place>();
  for await (const entry of zip.eachEntry()) {
    const name = nameOf(entry);
    if (name.endsWith('/') || entries.has(name)) continue;
    const header = await zip.readLocalFileHeaderPromise(entry, { minimal: true }).catch(() => null);
    entries.set(name, { entry, start: header?.fileDataStart ?? null });
  }
  return entries;
}

/** Whether two entries share bytes. Programs never write that; it lets few bytes unpack to very many. */
function doOverlap(places: Iterable<Place>): boolean {
  const found = [...places]
    .flatMap(({ entry, start }) =>
      start === null ? [] : { from: entry.relativeOffsetOfLocalHeader, to: start + entry.compressedSize },
    )
    .toSorted((one, other) => one.from - other.from);
  return found.some(({ from }, index) => from < (found[index - 1]?.to ?? 0));
}

/**
 * Whether a file that begins otherwise ends as an archive, and would look different in different programs. Archives
 * within a file, such as attachments of a PDF, end earlier.
 */
export function endsAsZip(file: Buffer): boolean {
  const tail = file.subarray(-MAX_END_BYTES);
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) {
    at = tail.lastIndexOf(END_MARK, at, 'latin1');
    if (at === -1) return false;
    if (at + END_BYTES + tail.readUInt16LE(at + END_BYTES - 2) === tail.length) return true;
  }
  return false;
}

/** Some Windows programs write backslashes, some a leading slash. */
function nameOf(entry: Entry): string {
  // decodeStrings is off, so the name is bytes. Most programs that write UTF-8 do not declare it.
  const bytes = entry.fileNameRaw;
  const flags = entry.generalPurposeBitFlag | (isUtf8(bytes) ? UTF8_NAME : 0);
  return getFileNameLowLevel(flags, bytes, entry.extraFields, false)
    .replaceAll('\\', '/')
    .replace(/^\/+/, '');
}

class EntryReader implements ZipArchive {
  readonly names: readonly string[];
  private readonly namesInLowerCase = new Map<string, string>();
  private readonly namesRead = new Set<string>();
  private bytesUnpacked = 0;

  constructor(
    private readonly archive: Buffer,
    private readonly entries: ReadonlyMap<string, Place>,
    private readonly limits: ZipLimits,
  ) {
    this.names = [...entries.keys()];
    for (const name of this.names) this.namesInLowerCase.set(name.toLowerCase(), name);
  }

  read(name: string): Uint8Array | null {
    const found = this.entries.has(name) ? name : this.namesInLowerCase.get(name.toLowerCase());
    const place = found === undefined ? undefined : this.entries.get(found);
    if (found === undefined || place === undefined) return null;
    const { entry } = place;
    if (entry.isEncrypted()) throw new DocumentRefused(remark('PROTECTED'));
    // Reading an entry again takes no more memory.
    if (this.namesRead.has(found)) this.bytesUnpacked -= entry.uncompressedSize;
    const content = this.unpacked(place, this.limitOf(entry));
    this.bytesUnpacked += content.byteLength;
    this.namesRead.add(found);
    if (crc32(content) !== entry.crc32) throw new ZipEntryDamaged(`The checksum of ${found} is wrong.`);
    return content;
  }

  private limitOf(entry: Entry): number {
    const { entryBytes, unpackedBytes, ratio, unsuspiciousBytes } = this.limits;
    const byRatio = Math.max(unsuspiciousBytes, ratio * entry.compressedSize);
    return Math.min(entryBytes, unpackedBytes - this.bytesUnpacked, byRatio);
  }

  private unpacked({ entry, start }: Place, limit: number): Buffer {
    if (entry.uncompressedSize > limit) throw unpacksToTooMuch();
    if (start === null) throw new ZipEntryDamaged('An entry is not where the directory says.');
    const packed = this.archive.subarray(start, start + entry.compressedSize);
    if (entry.compressionMethod === STORED && packed.byteLength <= limit) return packed;
    if (entry.compressionMethod !== DEFLATED)
      throw new ZipEntryDamaged(`An entry is packed in a way that is not known: ${entry.compressionMethod}.`);
    try {
      return inflateRawSync(packed, { maxOutputLength: Math.max(1, limit) });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw unpacksToTooMuch();
      throw new ZipEntryDamaged('An entry cannot be unpacked.', { cause: error });
    }
  }
}

function unpacksToTooMuch(): DocumentRefused {
  return new DocumentRefused(remark('TOO_MUCH_UNPACKED'));
}
