import { binaryFormatOf } from './format/binary-format.js';
import { type DocumentFormat, extensionOf, mediaTypeOf, promisedFormatOf } from './format/formats.js';
import type { ReadFile, ReadPages } from './page-reader.js';
import {
  type BinaryFormat,
  DocumentRefused,
  type ParsedPage,
  type ParsedSummary,
} from './parsed-document.js';
import { refusalOf } from './reader-failure.js';
import { readText } from './text/read-text.js';
import { remark, type Remark } from './remarks.js';

function office() {
  return import('./office/read-office.js');
}

/** Loaded on demand: a text does not need the PDF reader. */
const readers: Record<BinaryFormat, () => Promise<ReadPages>> = {
  pdf: async () => (await import('./pdf/read-pdf.js')).readPdf,
  docx: async () => (await office()).readDocx,
  xlsx: async () => (await office()).readXlsx,
  pptx: async () => (await office()).readPptx,
  odt: async () => (await office()).readOdt,
  ods: async () => (await office()).readOds,
  odp: async () => (await office()).readOdp,
  rtf: async () => (await office()).readRtf,
};

/** Detects the format of a file and reads it. Throws only DocumentRefused. */
export async function* readDocument(file: ReadFile): AsyncGenerator<ParsedPage, ParsedSummary> {
  const summary = yield* readByBytes(file);
  const misnamed = misnamedWarning(file.name, summary.format);
  return misnamed === null ? summary : { ...summary, warnings: [misnamed, ...summary.warnings] };
}

/** These formats may have each other's names. */
const plainTexts: ReadonlySet<DocumentFormat> = new Set(['text', 'markdown', 'csv']);

/** The uploader may have chosen the wrong file. */
function misnamedWarning(name: string, format: DocumentFormat): Remark | null {
  const promised = promisedFormatOf(name);
  if (promised === null || promised === format) return null;
  if (plainTexts.has(promised) && plainTexts.has(format)) return null;
  return remark('MISNAMED', { extension: extensionOf(name), format: format.toUpperCase() });
}

async function* readByBytes(file: ReadFile): AsyncGenerator<ParsedPage, ParsedSummary> {
  if (file.bytes.byteLength === 0) throw new DocumentRefused(remark('EMPTY'));
  const format = await binaryFormatOf(file.bytes).catch((error: unknown) => {
    throw refusalOf(error, null);
  });
  if (format === null) return yield* readText(file);
  try {
    const read = await readers[format]();
    const { pages, warnings } = yield* read(file);
    return { format, mediaType: mediaTypeOf(format), pages, warnings };
  } catch (error) {
    throw refusalOf(error, format);
  }
}
