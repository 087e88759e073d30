import { fileTypeFromBuffer } from 'file-type';

import { type BinaryFormat, DocumentRefused } from '../parsed-document.js';
import { endsAsZip, openZip, type ZipArchive } from '../zip-archive.js';
import { remark, type Remark, type RemarkCode } from '../remarks.js';

/** PDF readers look for the header within this many bytes: mail programs and scanners put other bytes before it. */
const HEAD_BYTES = 1024;

const SAMPLE_BYTES = 65_536;

/**
 * Detects the format from the bytes, whatever the name says. Null: unknown, so it may be text. Throws DocumentRefused
 * for a known format that cannot be read.
 */
export async function binaryFormatOf(bytes: Uint8Array): Promise<BinaryFormat | null> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = file.toString('latin1', 0, HEAD_BYTES);
  const isZip = /^PK(?:\x03\x04|\x05\x06)/.test(head);
  const format = isZip ? await formatOfZip(file) : await formatByHead(file, head);
  // Other programs would open it as another file.
  if (isZip ? hasPdfWithin(file) : endsAsZip(file)) throw new DocumentRefused(remark('DAMAGED'));
  return format;
}

async function formatByHead(file: Buffer, head: string): Promise<BinaryFormat | null> {
  if (/^(?:\xef\xbb\xbf)?\s*%PDF-\d/.test(head)) return 'pdf';
  if (/^(?:\xef\xbb\xbf)?\s*\{\\rtf/.test(head)) return 'rtf';
  if (head.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return refuseCompound(file);
  // A text may begin with BM or GIF89a, but every picture contains control characters.
  if (hasControls(file)) await refuseKnown(file);
  return hasPdfWithin(file) ? 'pdf' : null;
}

/** Whether a PDF follows other bytes. A text that only mentions PDF is not one. */
function hasPdfWithin(file: Buffer): boolean {
  const start = file.toString('latin1', 0, HEAD_BYTES).search(/%PDF-\d/);
  if (start === -1) return false;
  const hasObjects = /\b\d+\s+\d+\s+obj\b/.test(file.toString('latin1', start, start + HEAD_BYTES));
  return (
    hasObjects && (hasControls(file) || /%%EOF\s*$/.test(file.toString('latin1', file.length - HEAD_BYTES)))
  );
}

/** Whether the beginning has characters that no text has, but every archive and picture. */
export function hasControls(file: Buffer): boolean {
  return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(file.toString('latin1', 0, SAMPLE_BYTES));
}

const openDocuments: Record<string, BinaryFormat> = { text: 'odt', spreadsheet: 'ods', presentation: 'odp' };

/** Detects the format by the path of the main part, as content types are often wrong. */
const mainParts: readonly (readonly [part: RegExp, format: BinaryFormat])[] = [
  [/^word\/document\d*\.xml$/i, 'docx'],
  [/^xl\/workbook\d*\.xml$/i, 'xlsx'],
  [/^ppt\/presentation\d*\.xml$/i, 'pptx'],
];

const others: readonly (readonly [part: RegExp, what: Remark])[] = [
  [/^xl\/workbook\.bin$/i, remark('BINARY_WORKBOOK')],
  [/^visio\/document\.xml$/i, remark('VISIO')],
  [/^Index\/(?:Document|Presentation)\.iwa$/, remark('IWORK')],
  [/^META-INF\/container\.xml$/, remark('EPUB')],
  [/^(?:AndroidManifest\.xml|META-INF\/MANIFEST\.MF)$/, remark('PROGRAM', { type: 'JAR' })],
];

/** Detects the kind of office document in an archive. Throws DocumentRefused for any other archive. */
async function formatOfZip(file: Buffer): Promise<BinaryFormat> {
  const zip = await opened(file);
  const openDocument = openDocumentOf(zip);
  if (openDocument !== null) return openDocument;
  for (const [part, format] of mainParts) if (zip.names.some((name) => part.test(name))) return format;
  const other = others.find(([part]) => zip.names.some((name) => part.test(name)));
  if (other) throw new DocumentRefused(other[1]);
  return byContentTypes(zip);
}

async function opened(file: Buffer): Promise<ZipArchive> {
  try {
    return await openZip(file);
  } catch (error) {
    if (error instanceof DocumentRefused) throw error;
    throw new DocumentRefused(remark('CUT_OFF'), { cause: error });
  }
}

function openDocumentOf(zip: ZipArchive): BinaryFormat | null {
  const type = textOf(zip, 'mimetype')?.trim() ?? textOf(zip, 'META-INF/manifest.xml') ?? '';
  const [, kind] = /application\/vnd\.oasis\.opendocument\.([a-z]+)/.exec(type) ?? [];
  const format = kind === undefined ? undefined : openDocuments[kind];
  if (format !== undefined) return format;
  if (kind !== undefined) throw new DocumentRefused(remark('OTHER_OPEN_DOCUMENT', { kind }));
  return null;
}

/** Some programs put the main part elsewhere. Then the content types decide. */
function byContentTypes(zip: ZipArchive): BinaryFormat {
  const types = textOf(zip, '[Content_Types].xml') ?? '';
  const [, kind] =
    /(wordprocessingml|spreadsheetml|presentationml)\.(?:document|template|sheet|presentation|slideshow)[a-z.]*main\+xml/i.exec(
      types,
    ) ?? [];
  if (kind === 'wordprocessingml') return 'docx';
  if (kind === 'spreadsheetml') return 'xlsx';
  if (kind === 'presentationml') return 'pptx';
  throw new DocumentRefused(
    zip.names.length === 0 ? remark('EMPTY_ARCHIVE') : remark('ARCHIVE', { type: 'ZIP' }),
  );
}

function textOf(zip: ZipArchive, name: string): string | null {
  try {
    const content = zip.read(name);
    return content === null ? null : Buffer.from(content).toString('latin1', 0, 100_000);
  } catch {
    // The reader of the format meets the same error and reports it.
    return null;
  }
}

const ARCHIVES = new Set(
  '7z ace alz ar arj bz2 cab cpio deb dmg gz iso lz lz4 lzh rar rpm tar xz z zip zst'.split(' '),
);
const PROGRAMS = new Set('class crx dex elf exe macho msi swf wasm'.split(' '));
const DATABASES = new Set('arrow avro dbf mdb parquet sqlite'.split(' '));

/** Types whose first bytes also occur in texts. */
const TEXTS = new Set('ics vcf xml pgp asc'.split(' '));

/** Throws DocumentRefused for a file whose first bytes identify a type that is not read. */
async function refuseKnown(file: Uint8Array): Promise<void> {
  const type = await fileTypeFromBuffer(file);
  if (type === undefined || TEXTS.has(type.ext) || type.mime.startsWith('text/')) return;
  throw new DocumentRefused(remark(reasonOf(type.ext, type.mime), { type: type.ext.toUpperCase() }));
}

const byKind: ReadonlyMap<string, RemarkCode> = new Map([
  ['image', 'PICTURE'],
  ['video', 'FILM'],
  ['audio', 'SOUND'],
  ['font', 'FONT'],
]);

function reasonOf(extension: string, mediaType: string): RemarkCode {
  const ofKind = byKind.get(mediaType.split('/', 1)[0] ?? '');
  if (ofKind !== undefined) return ofKind;
  if (ARCHIVES.has(extension)) return 'ARCHIVE';
  if (PROGRAMS.has(extension)) return 'PROGRAM';
  return DATABASES.has(extension) ? 'DATABASE' : 'UNKNOWN_TYPE';
}

/** Names of streams in a compound file and the refusal for each. The outermost stream comes first. */
const contents: readonly (readonly [stream: string, reason: Remark])[] = [
  ['EncryptedPackage', remark('PROTECTED')],
  ['WordDocument', remark('OLD_OFFICE', { extension: '.doc', other: '.docx' })],
  ['PowerPoint Document', remark('OLD_OFFICE', { extension: '.ppt', other: '.pptx' })],
  ['Workbook', remark('OLD_OFFICE', { extension: '.xls', other: '.xlsx' })],
  ['Book', remark('OLD_OFFICE', { extension: '.xls', other: '.xlsx' })],
  ['__substg1.0_', remark('OUTLOOK_MESSAGE')],
  ['VisioDocument', remark('VISIO')],
];

/** Refuses OLE compound files: those of older programs, and encrypted files of newer ones. Throws DocumentRefused. */
function refuseCompound(file: Buffer): never {
  const [, reason] = contents.find(([stream]) => file.includes(Buffer.from(stream, 'utf16le'))) ?? [];
  throw new DocumentRefused(reason ?? remark('OLD_PROGRAM'));
}
