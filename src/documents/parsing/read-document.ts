import { binaryFormatOf } from './format/binary-format.js';
import { mediaTypes } from './format/media-types.js';
import type { ReadFile, ReadPages } from './page-reader.js';
import {
  type BinaryFormat,
  DocumentRefused,
  type ParsedPage,
  type ParsedSummary,
} from './parsed-document.js';
import { refusalOf } from './reader-failure.js';
import { readText } from './text/read-text.js';

const office = () => import('./office/read-office.js');

/** Loaded when they are needed: a text does not have to wait for the reader of PDFs. */
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

/** Finds out what a file is and reads it. Throws DocumentRefused, and nothing else. */
export async function* readDocument(file: ReadFile): AsyncGenerator<ParsedPage, ParsedSummary> {
  if (file.bytes.byteLength === 0) throw new DocumentRefused('The file is empty.');
  const format = await binaryFormatOf(file.bytes).catch((error: unknown) => {
    throw refusalOf(error, null);
  });
  if (format === null) return yield* readText(file);
  try {
    const read = await readers[format]();
    const { pages, warnings } = yield* read(file);
    return { format, mediaType: mediaTypes[format], pages, warnings };
  } catch (error) {
    throw refusalOf(error, format);
  }
}
