import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';

import { inMegabytes } from './described-pack.js';
import { PackRefused } from './pack-refused.js';
import { inShort } from './skill-md.js';

const MAX_ENTRIES = 1000;
const MAX_UNPACKED_BYTES = 30_000_000;
export const MAX_ENTRY_BYTES = 10_000_000;

/** A higher ratio is a sign of a zip bomb. Files below a megabyte are not checked. */
const MAX_RATIO = 150;
const UNSUSPICIOUS_BYTES = 1_000_000;

const MAX_PATH = 400;
const MAX_FOLDERS = 20;

const UTF8_NAME = 0x800;
const STORED = 0;
const DEFLATED = 8;

const FILE_TYPE = 0o170000;
const ORDINARY_FILE = 0o100000;

const inflate = promisify(inflateRaw);

/** A file in an archive. Folders are not entries. */
export interface ZipEntry {
  path: string;
  /** According to the archive, so unreliable. */
  bytes: number;
  /** Whether the path's encoding is a guess: neither stated nor UTF-8. */
  isGuessed: boolean;
  /** Throws PackRefused for a file that is not ordinary, is damaged or unpacks to too much. */
  read(signal: AbortSignal): Promise<Buffer>;
}

export interface ZipContent {
  entries: ZipEntry[];
  /** Empty: none. */
  comment: string;
}

/** How much of an archive may still be unpacked. */
interface Allowance {
  bytesLeft: number;
}

/**
 * The files of a zip archive, by the directory at its end. Throws PackRefused for other files, for too many entries,
 * and for paths outside the archive, which are malicious.
 */
export async function zipContentOf(archive: Buffer): Promise<ZipContent> {
  const zip = await orPackRefused(() =>
    fromBufferPromise(archive, { decodeStrings: false, validateEntrySizes: false }),
  );
  if (zip.entryCount > MAX_ENTRIES)
    throw new PackRefused(
      `The archive has more than ${MAX_ENTRIES} files: leave out what no model has to read.`,
    );
  const allowance: Allowance = { bytesLeft: MAX_UNPACKED_BYTES };
  const entries: ZipEntry[] = [];
  for (const entry of await orPackRefused(() => entriesOf(zip))) {
    const path = pathOf(entry);
    if (!path.endsWith('/')) entries.push(fileOf({ zip, archive, entry, path, allowance }));
  }
  // decodeStrings is off, so this is bytes despite the type.
  return { entries, comment: Buffer.from(zip.comment).toString('latin1') };
}

async function entriesOf(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  return entries;
}

/** The library's errors name fields of the format, which do not help people. */
async function orPackRefused<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw new PackRefused('The file is not a zip archive, or it is damaged: pack it again.', {
      cause: error,
    });
  }
}

function pathOf(entry: Entry): string {
  const path = nameOf(entry);
  const fault = pathFault(path.replace(/\/$/, ''));
  if (fault === null) return path;
  throw new PackRefused(`The archive has a file ${inShort(path)} ${fault}: pack it again without.`);
}

function nameOf(entry: Entry): string {
  // decodeStrings is off, so the name is bytes. Most programs that write UTF-8 do not declare it.
  const bytes = entry.fileNameRaw;
  const flags = entry.generalPurposeBitFlag | (isUtf8(bytes) ? UTF8_NAME : 0);
  try {
    return getFileNameLowLevel(flags, bytes, entry.extraFields, true);
  } catch (error) {
    throw new PackRefused('The archive has a file without a readable name: pack it again.', { cause: error });
  }
}

/** Neither UTF-8 nor repeated in Unicode: the format's old encoding is assumed, which programs seldom use. */
function isGuessed({ fileNameRaw: bytes, generalPurposeBitFlag: flags, extraFields }: Entry): boolean {
  return (
    (flags & UTF8_NAME) === 0 &&
    !isUtf8(bytes) &&
    getFileNameLowLevel(flags, bytes, extraFields, true) === getFileNameLowLevel(flags, bytes, [], true)
  );
}

function pathFault(path: string): string | null {
  if (/[\p{Cc}\ufffd]/u.test(path)) return 'with unreadable characters in its name';
  if (path.includes('\\')) return 'with a backslash in its name';
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'with an absolute path';
  const parts = path.split('/');
  if (parts.some((part) => part === '..' || part === '.')) return 'that lies outside';
  if (parts.includes('')) return 'with an empty name';
  return path.length > MAX_PATH || parts.length > MAX_FOLDERS ? 'with a name too long' : null;
}

interface Place {
  zip: ZipFile;
  archive: Buffer;
  entry: Entry;
  path: string;
  allowance: Allowance;
}

function fileOf(place: Place): ZipEntry {
  return {
    path: place.path,
    bytes: place.entry.uncompressedSize,
    isGuessed: isGuessed(place.entry),
    read: async (signal) => {
      signal.throwIfAborted();
      const fault = kindFault(place.entry);
      if (fault !== null) throw new PackRefused(`The file ${inShort(place.path)} ${fault}`);
      const content = await unpacked(place);
      place.allowance.bytesLeft -= content.byteLength;
      if (crc32(content) !== place.entry.crc32) throw damaged(place.path);
      return content;
    },
  };
}

function kindFault(entry: Entry): string | null {
  if (entry.isEncrypted()) return 'is encrypted: pack it without a password.';
  // The Unix mode in the upper half, whatever system the archive states.
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE;
  if (type !== 0 && type !== ORDINARY_FILE)
    return 'is a link or a device and no ordinary file: pack what it stands for.';
  return entry.compressionMethod === STORED || entry.compressionMethod === DEFLATED
    ? null
    : 'is packed in a way that few programs know: pack it as an ordinary zip.';
}

function damaged(path: string, cause?: unknown): PackRefused {
  return new PackRefused(`The file ${inShort(path)} is damaged: pack it again.`, { cause });
}

async function unpacked({ zip, archive, entry, path, allowance }: Place): Promise<Buffer> {
  const { fileDataStart } = await orPackRefused(() =>
    zip.readLocalFileHeaderPromise(entry, { minimal: true }),
  );
  const packed = archive.subarray(fileDataStart, fileDataStart + entry.compressedSize);
  const most = Math.min(MAX_ENTRY_BYTES, Math.max(UNSUSPICIOUS_BYTES, MAX_RATIO * packed.byteLength));
  const limit = Math.min(most, allowance.bytesLeft);
  const content = entry.compressionMethod === STORED ? packed : await inflated(packed, path, limit);
  if (content && content.byteLength <= limit) return content;
  if (limit < most) throw new ArchiveTooLarge();
  throw new PackRefused(
    most === MAX_ENTRY_BYTES
      ? `The file ${inShort(path)} is larger than ${inMegabytes(MAX_ENTRY_BYTES)}: leave it out.`
      : `The file ${inShort(path)} unpacks to more than ${MAX_RATIO} times its size: leave it out.`,
  );
}

/** The whole archive unpacks to too much. No further pack of it is read. */
export class ArchiveTooLarge extends PackRefused {
  constructor() {
    super(
      `The archive unpacks to more than ${inMegabytes(MAX_UNPACKED_BYTES)}: leave out what no model has to read.`,
    );
  }
}

/** Null: more than `limit`. Unpacking stops there. */
async function inflated(packed: Buffer, path: string, limit: number): Promise<Buffer | null> {
  try {
    return await inflate(packed, { maxOutputLength: Math.max(1, limit) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return null;
    throw damaged(path, error);
  }
}
