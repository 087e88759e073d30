/**
 * Draws a page of a PDF, all of it in this thread: the page of the console stays small and quick, and what a broken file
 * does to pdf.js happens here.
 */
import { getDocument, type PDFPageProxy, Util } from 'pdfjs-dist';
import { WorkerMessageHandler } from 'pdfjs-dist/build/pdf.worker.mjs';

import { quotedRanges, type Range } from './quoted-words.js';

export interface PageRequest {
  /** The bytes of the PDF. */
  data: ArrayBuffer;
  /** From 1. */
  page: number;
  /** In pixels of the screen. */
  width: number;
  quote: string;
  answer: MessagePort;
}

/** A mark over the page, in hundredths of its width and height. */
export interface Mark {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface DrawnPage {
  image: ImageBitmap;
  text: string;
  /** What of the text is quoted. */
  quoted: Range[];
  marks: Mark[];
}

export type PageAnswer = DrawnPage | 'failed';

/** Fonts, character maps and decoders that a PDF may need and not have. */
const files = import.meta.glob<string>(
  [
    '/../node_modules/pdfjs-dist/cmaps/*.bcmap',
    '/../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}',
    '/../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg,qcms_bg}.wasm',
  ],
  { query: '?url', import: 'default', eager: true },
);
const urls = new Map(Object.entries(files).map(([path, url]) => [path.split('/').at(-1), url]));

class BinaryDataFactory {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const url = urls.get(filename);
    if (url === undefined) throw new Error(`There is no file ${filename}.`);
    return new Uint8Array(await (await fetch(url)).arrayBuffer());
  }
}

// Otherwise pdf.js would begin another thread for its work.
Object.assign(globalThis, { pdfjsWorker: { WorkerMessageHandler } });

/** There is no document here, whose elements pdf.js filters and draws by. */
function none(): string {
  return 'none';
}
class FilterFactory {
  addFilter = none;
  addHCMFilter = none;
  addAlphaFilter = none;
  addLuminosityFilter = none;
  addKnockoutFilter = none;
  addHighlightHCMFilter = none;
  destroy(): void {
    // There is nothing to be released.
  }
}

const ownerDocument = {
  fonts: (globalThis as unknown as { fonts: FontFaceSet }).fonts,
  createElement: () => new OffscreenCanvas(1, 1),
} as unknown as Document;

addEventListener('message', ({ data }: MessageEvent<Partial<PageRequest>>) => {
  // pdf.js greets itself by messages too.
  if (data.answer) void answer(data as PageRequest);
});

async function answer(request: PageRequest): Promise<void> {
  try {
    const drawn = await draw(request);
    request.answer.postMessage(drawn satisfies PageAnswer, [drawn.image]);
  } catch {
    request.answer.postMessage('failed' satisfies PageAnswer);
  }
}

async function draw({ data, page: number, width, quote }: PageRequest): Promise<DrawnPage> {
  const task = getDocument({
    data,
    ownerDocument,
    BinaryDataFactory,
    FilterFactory,
    cMapUrl: '/',
    standardFontDataUrl: '/',
    wasmUrl: '/',
    useWorkerFetch: false,
    useSystemFonts: false,
  });
  const page = await (await task.promise).getPage(number);
  const viewport = page.getViewport({ scale: width / page.getViewport({ scale: 1 }).width });
  const canvas = new OffscreenCanvas(Math.round(viewport.width), Math.round(viewport.height));
  await page.render({ canvas: canvas as unknown as HTMLCanvasElement, viewport }).promise;
  const { text, items } = await textOf(page);
  const quoted = quotedRanges(text, quote);
  const measure = measured();
  const marks = items.flatMap((item) =>
    quoted.flatMap(({ start, end }) => {
      const [from, to] = [Math.max(start - item.start, 0), Math.min(end - item.start, item.str.length)];
      if (from >= to) return [];
      const share = (length: number): number => measure(item.str.slice(0, length)) / measure(item.str);
      return [markOf(item, share(from), share(to), viewport)];
    }),
  );
  return { image: canvas.transferToImageBitmap(), text, quoted, marks };
}

interface TextPiece {
  str: string;
  /** Where it begins in the text of the page. */
  start: number;
  width: number;
  transform: number[];
}

async function textOf(page: PDFPageProxy): Promise<{ text: string; items: TextPiece[] }> {
  let text = '';
  const items: TextPiece[] = [];
  for (const item of (await page.getTextContent()).items) {
    if (!('str' in item)) continue;
    items.push({ ...item, transform: item.transform as number[], start: text.length });
    text += item.hasEOL ? `${item.str}\n` : item.str;
  }
  return { text, items };
}

/** How wide text is beside other text: nearly so in any font. */
function measured(): (text: string) => number {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (context) context.font = '16px sans-serif';
  return (text) => context?.measureText(text).width ?? text.length;
}

/** The box around a part of a piece, whichever way that runs. */
function markOf(
  { transform, width: length }: TextPiece,
  from: number,
  to: number,
  { transform: toPixels, scale, width, height }: ReturnType<PDFPageProxy['getViewport']>,
): Mark {
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = Util.transform(toPixels, transform) as number[];
  const along = Math.hypot(a, b) || 1;
  const corners = [from, to].flatMap((share) =>
    // From below the line to the height of its capitals.
    [-0.25, 0.9].map((rise) => ({
      x: x + (a / along) * length * scale * share + c * rise,
      y: y + (b / along) * length * scale * share + d * rise,
    })),
  );
  const [xs, ys] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return {
    left: (left / width) * 100,
    top: (top / height) * 100,
    width: ((Math.max(...xs) - left) / width) * 100,
    height: ((Math.max(...ys) - top) / height) * 100,
  };
}
