import { DocumentRefused, type BinaryFormat } from '../parsed-document.js';
import { openZip, type ZipArchive } from '../zip-archive.js';

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
export async function formatOfZip(file: Buffer): Promise<BinaryFormat> {
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
