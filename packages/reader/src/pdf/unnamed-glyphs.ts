import type { Drawing } from './drawing.js';
import { loadPdfjs } from './load-pdfjs.js';

/** Fewer may look so by accident. */
const MIN_GLYPHS = 3;

/** A glyph name that is just a number: g12, a7, glyph31. */
const numbered = /^[a-z]{0,6}[-_.:]?(\d+)$/i;

/**
 * Characters whose meaning the font does not say: its glyphs are numbered, it has no Unicode table, and pdfjs takes the
 * codes for characters.
 */
export function unnamedGlyphs(names: unknown, drawn: readonly Glyph[]): ReadonlySet<string> {
  const unnamed = unnamedCodes(names);
  const glyphs = drawn.filter(({ code }) => unnamed.has(code));
  const isTranslated = glyphs.some(({ code, unicode }) => unicode !== String.fromCodePoint(code));
  const isTelling = new Set(glyphs.map(({ code }) => code)).size >= MIN_GLYPHS;
  return new Set(isTelling && !isTranslated ? [...unnamed].map((code) => String.fromCodePoint(code)) : []);
}

/** From a map of codes to names, which may come from another realm. */
function unnamedCodes(names: unknown): ReadonlySet<number> {
  const codes = new Set<number>();
  if (typeof names !== 'object' || names === null || !(Symbol.iterator in names)) return codes;
  for (const entry of names as Iterable<unknown>) {
    const [code, name] = Array.isArray(entry) ? (entry as unknown[]) : [];
    if (typeof code === 'number' && code < 256 && isUnnamed(name, code)) codes.add(code);
  }
  return codes;
}

/** TeX calls A a65, which is meaningful. */
function isUnnamed(name: unknown, code: number): boolean {
  const [, number] = (typeof name === 'string' && numbered.exec(name)) || [];
  return number !== undefined && Number(number) !== code && Number.parseInt(number, 16) !== code;
}

export interface Glyph {
  /** The code in the file. */
  code: number;
  /** Its meaning for pdfjs. */
  unicode: string;
}

/** The glyphs drawn on a page by font. */
export async function glyphsByFont({ fnArray, argsArray }: Drawing): Promise<Map<string, Glyph[]>> {
  const { OPS } = await loadPdfjs();
  const glyphs = new Map<string, Glyph[]>();
  const outer: string[] = [];
  let font = '';
  for (const [index, operator] of fnArray.entries()) {
    const [first] = (argsArray[index] ?? []) as unknown[];
    if (operator === OPS.save) outer.push(font);
    else if (operator === OPS.restore) font = outer.pop() ?? font;
    else if (operator === OPS.setFont) font = String(first);
    else if (operator === OPS.showText && Array.isArray(first)) {
      const known = glyphs.get(font) ?? [];
      for (const each of first) known.push(...glyphOf(each));
      glyphs.set(font, known);
    }
  }
  return glyphs;
}

/** Numbers between glyphs are distances. */
function glyphOf(drawn: unknown): Glyph[] {
  if (typeof drawn !== 'object' || drawn === null) return [];
  if (!('originalCharCode' in drawn) || !('unicode' in drawn)) return [];
  const { originalCharCode: code, unicode } = drawn;
  return typeof code === 'number' && typeof unicode === 'string' ? [{ code, unicode }] : [];
}
