import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const packageFile = require.resolve('pdfjs-dist/package.json');
/** pdfjs appends file names, so the paths end with a slash. */
function folder(name: string): string {
  return join(dirname(packageFile), name, '/');
}

/** Files that pdfjs reads from its own package: character maps, standard fonts, decoders. */
export const pdfjsFolders = {
  cMapUrl: folder('cmaps'),
  standardFontDataUrl: folder('standard_fonts'),
  wasmUrl: folder('wasm'),
  iccUrl: folder('iccs'),
} as const;

/**
 * Globals that pdfjs looks for when it is imported, and logs if missing. A native canvas would define them. Nothing is
 * drawn here, so any value will do; package.json replaces the canvas by an empty package.
 */
const drawing = ['DOMMatrix', 'Path2D'];

export async function loadPdfjs() {
  for (const name of drawing) Reflect.set(globalThis, name, Reflect.get(globalThis, name) ?? Object);
  return import('pdfjs-dist/legacy/build/pdf.mjs');
}
