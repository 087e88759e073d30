import { setImmediate } from 'node:timers/promises';

import type { PDFDocumentProxy } from 'pdfjs-dist';

import { DocumentRefused } from '../parsed-document.js';
import { loadPdfjs, pdfjsFolders } from './load-pdfjs.js';
import { catalogOf, withFlatPageTree } from './pages/page-tree.js';
import { remark } from '../remarks.js';

export interface OpenPdf {
  document: PDFDocumentProxy;
  /** Page numbers that the document lists and does not have. pdfjs takes these pages for empty ones. */
  missing: ReadonlySet<number>;
  /** The last page is damaged, and later ones may be hidden by it. */
  endsEarly: boolean;
  /** Releases all resources. */
  close: () => Promise<void>;
}

/**
 * Opens a PDF and repairs what can be repaired. Throws DocumentRefused for one with a password, and pdfjs's error for a
 * damaged one.
 */
export async function openPdf(bytes: Uint8Array): Promise<OpenPdf> {
  try {
    return await openWhole(bytes);
  } catch (error) {
    if (nameOf(error) === 'PasswordException')
      throw new DocumentRefused(remark('PROTECTED'), { cause: error });
    const mended = nameOf(error) === 'InvalidPDFException' ? withTrailer(bytes) : null;
    if (mended === null) throw error;
    return openWhole(mended);
  }
}

/** pdfjs ends a document at its first missing page. */
async function openWhole(bytes: Uint8Array): Promise<OpenPdf> {
  const opened = await open(bytes);
  const isWhole = await hasPage(opened.document, opened.document.numPages);
  const mended = isWhole ? null : withFlatPageTree(bytes);
  const whole = mended && (await open(mended.bytes).catch(() => null));
  if (mended === null || whole === null) return { ...opened, endsEarly: !isWhole };
  await opened.close();
  return { ...whole, missing: mended.missing };
}

function hasPage(document: PDFDocumentProxy, number: number): Promise<boolean> {
  return document.getPage(number).then(
    () => true,
    () => false,
  );
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

async function open(bytes: Uint8Array): Promise<OpenPdf> {
  const pdfjs = await loadPdfjs();
  const task = pdfjs.getDocument({
    ...pdfjsFolders,
    // pdfjs detaches the buffer that it is given.
    data: new Uint8Array(bytes),
    // To get font names, which show bold fonts.
    fontExtraProperties: true,
    disableFontFace: true,
    useSystemFonts: false,
    // To decode no images: all have more pixels.
    maxImageSize: 0,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    useWorkerFetch: false,
    stopAtErrors: false,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
  });
  process.on('unhandledRejection', ignore);
  const close = async (): Promise<void> => {
    await task.destroy();
    // Lets pending errors be reported first.
    await setImmediate();
    process.off('unhandledRejection', ignore);
  };
  try {
    return { document: await task.promise, missing: new Set(), endsEarly: false, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** pdfjs prefetches parts of damaged files without awaiting them. Their failure must not end the process. */
function ignore(): void {
  return undefined;
}

/** Repairs a file that lost its end, and with it the reference to its pages. pdfjs finds all the rest. */
function withTrailer(bytes: Uint8Array): Uint8Array | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const root = catalogOf(text);
  if (root === null) return null;
  const trailer = `\ntrailer\n<< /Root ${root.number} ${root.generation} R >>\n%%EOF\n`;
  return Buffer.concat([bytes, Buffer.from(trailer)]);
}
