import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const packageFile = require.resolve('pdfjs-dist/package.json');
/** pdfjs joins them with a file's name: they end with a slash. */
function folder(name: string): string {
  return join(dirname(packageFile), name, '/');
}

/** What pdfjs reads from its own package: tables of Asian encodings, measures of the standard fonts, decoders. */
export const pdfjsFolders = {
  cMapUrl: folder('cmaps'),
  standardFontDataUrl: folder('standard_fonts'),
  wasmUrl: folder('wasm'),
  iccUrl: folder('iccs'),
} as const;

/**
 * What pdfjs looks for as it is imported, and misses aloud. A native canvas would bring it; nothing is drawn here, so
 * anything will do, and package.json has an empty package in that one's place.
 */
const drawing = ['DOMMatrix', 'Path2D'];

export async function loadPdfjs() {
  for (const name of drawing) Reflect.set(globalThis, name, Reflect.get(globalThis, name) ?? Object);
  return import('pdfjs-dist/legacy/build/pdf.mjs');
}
