import { fileTypeFromBuffer } from 'file-type';

import { type BinaryFormat, DocumentRefused } from '../parsed-document.js';
import { openZip, type ZipArchive } from '../zip-archive.js';

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
  if (/^(?:\xef\xbb\xbf)?\s*%PDF-\d/.test(head)) return 'pdf';
  if (/^(?:\xef\xbb\xbf)?\s*\{\\rtf/.test(head)) return 'rtf';
  if (/^PK(?:\x03\x04|\x05\x06)/.test(head)) return formatOfZip(file);
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

function hasControls(file: Buffer): boolean {
  return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(file.toString('latin1', 0, SAMPLE_BYTES));
}

const openDocuments: Record<string, BinaryFormat> = { text: 'odt', spreadsheet: 'ods', presentation: 'odp' };

/** Detects the format by the path of the main part, as content types are often wrong. */
const mainParts: readonly (readonly [part: RegExp, format: BinaryFormat])[] = [
  [/^word\/document\d*\.xml$/i, 'docx'],
  [/^xl\/workbook\d*\.xml$/i, 'xlsx'],
  [/^ppt\/presentation\d*\.xml$/i, 'pptx'],
];

const others: readonly (readonly [part: RegExp, what: string, advice: string])[] = [
  [/^xl\/workbook\.bin$/i, 'a binary Excel workbook (.xlsb)', 'Save it as .xlsx and upload that.'],
  [/^visio\/document\.xml$/i, 'a Visio drawing', 'Save it as a PDF and upload that.'],
  [
    /^Index\/(?:Document|Presentation)\.iwa$/,
    'a document of Pages, Numbers or Keynote',
    'Export it as a PDF and upload that.',
  ],
  [/^META-INF\/container\.xml$/, 'an e-book (EPUB)', 'Upload it as a PDF.'],
  [/^(?:AndroidManifest\.xml|META-INF\/MANIFEST\.MF)$/, 'a program', 'Upload a document.'],
];

const ZIP = 'This is a ZIP archive. Unpack it and upload the files that are in it.';

/** Detects the kind of office document in an archive. Throws DocumentRefused for any other archive. */
async function formatOfZip(file: Buffer): Promise<BinaryFormat> {
  const zip = await opened(file);
  const openDocument = openDocumentOf(zip);
  if (openDocument !== null) return openDocument;
  for (const [part, format] of mainParts) if (zip.names.some((name) => part.test(name))) return format;
  const other = others.find(([part]) => zip.names.some((name) => part.test(name)));
  if (other) throw new DocumentRefused(`This is ${other[1]}. ${other[2]}`);
  return byContentTypes(zip);
}

async function opened(file: Buffer): Promise<ZipArchive> {
  try {
    return await openZip(file);
  } catch (error) {
    if (error instanceof DocumentRefused) throw error;
    throw new DocumentRefused(
      'The file is damaged or not complete: its end is missing. Upload it again, or open it in its program and save it again first.',
      { cause: error },
    );
  }
}

function openDocumentOf(zip: ZipArchive): BinaryFormat | null {
  const type = textOf(zip, 'mimetype')?.trim() ?? textOf(zip, 'META-INF/manifest.xml') ?? '';
  const [, kind] = /application\/vnd\.oasis\.opendocument\.([a-z]+)/.exec(type) ?? [];
  const format = kind === undefined ? undefined : openDocuments[kind];
  if (format !== undefined) return format;
  if (kind !== undefined)
    throw new DocumentRefused(`This is an OpenDocument ${kind}. Save it as a PDF and upload that.`);
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
    zip.names.length === 0 ? 'This is a ZIP archive with nothing in it. Upload a document.' : ZIP,
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
  throw new DocumentRefused(reasonOf(type.ext, type.mime));
}

function reasonOf(extension: string, mediaType: string): string {
  const name = extension.toUpperCase();
  const [kind] = mediaType.split('/');
  if (kind === 'image')
    return `This is a picture (${name}). Upload a document; what is written in a picture has to be recognised first (OCR).`;
  if (kind === 'video') return `This is a film (${name}). Upload what is said in it as a text.`;
  if (kind === 'audio') return `This is a sound recording (${name}). Upload what is said in it as a text.`;
  if (kind === 'font') return `This is a font (${name}). Upload a document.`;
  if (ARCHIVES.has(extension))
    return `This is an archive (${name}). Unpack it and upload the files that are in it.`;
  if (PROGRAMS.has(extension)) return `This is a program (${name}). Upload a document.`;
  if (DATABASES.has(extension))
    return `This is a database (${name}). Save what is in it as .csv or .xlsx and upload that.`;
  return `This is a file of the type ${name}, which cannot be read. Save it as a PDF or a text and upload that.`;
}

/** Names of streams in a compound file and the refusal for each. The outermost stream comes first. */
const contents: readonly (readonly [stream: string, reason: string])[] = [
  [
    'EncryptedPackage',
    'The file is protected by a password. Open it in its program, save it without one and upload that.',
  ],
  ['WordDocument', 'This is a Word document of before 2007 (.doc). Save it as .docx and upload that.'],
  [
    'PowerPoint Document',
    'This is a PowerPoint presentation of before 2007 (.ppt). Save it as .pptx and upload that.',
  ],
  ['Workbook', 'This is an Excel workbook of before 2007 (.xls). Save it as .xlsx and upload that.'],
  ['Book', 'This is an Excel workbook of before 2007 (.xls). Save it as .xlsx and upload that.'],
  ['__substg1.0_', 'This is a message of Outlook (.msg). Save it as a PDF or as text and upload that.'],
  ['VisioDocument', 'This is a Visio drawing. Save it as a PDF and upload that.'],
];

/** Refuses OLE compound files: those of older programs, and encrypted files of newer ones. Throws DocumentRefused. */
function refuseCompound(file: Buffer): never {
  const [, reason] = contents.find(([stream]) => file.includes(Buffer.from(stream, 'utf16le'))) ?? [];
  throw new DocumentRefused(
    reason ?? 'This is a file of an older office program. Save it as a PDF, .docx or .xlsx and upload that.',
  );
}
