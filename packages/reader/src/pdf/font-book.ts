import type { PDFPageProxy } from 'pdfjs-dist';

import { type Drawing, drawingOf } from './drawing.js';
import type { PageText } from './layout/lines/piece.js';
import { loadPdfjs } from './load-pdfjs.js';

/** New fonts on later pages count as not bold and readable. */
const MAX_PAGES = 40;

const boldName = /bold|black|heavy|semibold|demi|gras|-bd\b|bx\d+|粗|黑体|heiti/i;

interface Font {
  isBold: boolean;
  /** Characters whose meaning the font does not say. */
  unreadable: ReadonlySet<string>;
}

/** Knows the names of fonts and glyphs. pdfjs gives them only with the operator list of a page. */
export class FontBook {
  private readonly fonts = new Map<string, Font>();
  private pages = 0;

  readonly isBold = (font: string): boolean => this.fonts.get(font)?.isBold ?? false;

  /** The share of a page's characters whose meaning is unknown: 0 to 1. */
  unreadableShare({ layers }: PageText): number {
    let all = 0;
    let unreadable = 0;
    for (const { text, font } of layers.flatMap(({ pieces }) => pieces)) {
      const characters = [...text.replaceAll(/\s+/g, '')];
      const unknown = this.fonts.get(font)?.unreadable;
      all += characters.length;
      if (unknown?.size) unreadable += characters.filter((character) => unknown.has(character)).length;
    }
    return all === 0 ? 0 : unreadable / all;
  }

  async learn(page: PDFPageProxy, fonts: ReadonlySet<string>): Promise<void> {
    const unknown = [...fonts].filter((font) => !this.fonts.has(font));
    if (unknown.length === 0 || this.pages >= MAX_PAGES) return;
    this.pages += 1;
    const glyphs = await glyphsByFont(await drawingOf(page));
    for (const font of unknown) this.fonts.set(font, fontOf(page, font, glyphs.get(font) ?? []));
  }
}

function fontOf(page: PDFPageProxy, id: string, glyphs: readonly Glyph[]): Font {
  const font: unknown = page.commonObjs.has(id) ? page.commonObjs.get(id) : null;
  if (typeof font !== 'object' || font === null) return { isBold: false, unreadable: new Set() };
  const name = 'name' in font && typeof font.name === 'string' ? font.name : '';
  const differences = 'differences' in font ? font.differences : null;
  return { isBold: boldName.test(name), unreadable: unnamedGlyphs(differences, glyphs) };
}

/** Fewer may look so by accident. */
const MIN_GLYPHS = 3;

/** A glyph name that is just a number: g12, a7, glyph31. */
const numbered = /^[a-z]{0,6}[-_.:]?(\d+)$/i;

/**
 * Characters whose meaning the font does not say: its glyphs are numbered, it has no Unicode table, and pdfjs takes the
 * codes for characters.
 */
function unnamedGlyphs(names: unknown, drawn: readonly Glyph[]): ReadonlySet<string> {
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

interface Glyph {
  /** The code in the file. */
  code: number;
  /** Its meaning for pdfjs. */
  unicode: string;
}

async function glyphsByFont({ fnArray, argsArray }: Drawing): Promise<Map<string, Glyph[]>> {
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
