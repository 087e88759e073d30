import { setImmediate } from 'node:timers/promises';

import type { PDFDocumentProxy } from 'pdfjs-dist';

import { DocumentRefused } from '../parsed-document.js';
import { loadPdfjs, pdfjsFolders } from './load-pdfjs.js';
import { catalogOf, withFlatPageTree } from './pages/page-tree.js';

export interface OpenPdf {
  document: PDFDocumentProxy;
  /** Pages that the document names and does not have, from 1; pdfjs takes them for empty ones. */
  missing: ReadonlySet<number>;
  /** The last page is damaged in a way that hides those after it, if there are any. */
  endsEarly: boolean;
  /** Releases all that reading it holds. */
  close: () => Promise<void>;
}

/**
 * Opens a PDF, mending what can be mended. Throws DocumentRefused for one that needs a password, and pdfjs's own error
 * for one that is damaged.
 */
export async function openPdf(bytes: Uint8Array): Promise<OpenPdf> {
  try {
    return await openWhole(bytes);
  } catch (error) {
    if (nameOf(error) === 'PasswordException')
      throw new DocumentRefused(
        'This PDF is protected by a password. Save a copy without one and upload that.',
        { cause: error },
      );
    const mended = nameOf(error) === 'InvalidPDFException' ? withTrailer(bytes) : null;
    if (mended === null) throw error;
    return openWhole(mended);
  }
}

/** pdfjs ends a document at the first of its pages that it does not find. */
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
    // pdfjs takes the bytes away from whoever holds them.
    data: new Uint8Array(bytes),
    // Fonts tell their names, by which bold ones are known.
    fontExtraProperties: true,
    disableFontFace: true,
    useSystemFonts: false,
    // No image is decoded: none has more than no pixels.
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
    // What failed on the way is told by now.
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

/** Of damaged files pdfjs also reads parts ahead for which nobody waits: their failure must not end the process. */
function ignore(): void {
  return undefined;
}

/** A file whose end is missing, and with it the word where its pages begin: pdfjs finds all but that by itself. */
function withTrailer(bytes: Uint8Array): Uint8Array | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const root = catalogOf(text);
  if (root === null) return null;
  const trailer = `\ntrailer\n<< /Root ${root.number} ${root.generation} R >>\n%%EOF\n`;
  return Buffer.concat([bytes, Buffer.from(trailer)]);
}
