import type { PDFPageProxy } from 'pdfjs-dist';

import type { PageText } from './layout/lines/piece.js';
import { type Glyph, glyphsByFont, unnamedGlyphs } from './unnamed-glyphs.js';

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

  /** Looks up the fonts of a page. */
  async learn(page: PDFPageProxy, fonts: ReadonlySet<string>): Promise<void> {
    const unknown = [...fonts].filter((font) => !this.fonts.has(font));
    if (unknown.length === 0 || this.pages >= MAX_PAGES) return;
    this.pages += 1;
    // Drawings may be damaged on pages whose text is intact.
    const drawing = await page.getOperatorList().catch(() => null);
    const glyphs = drawing ? await glyphsByFont(drawing) : new Map<string, Glyph[]>();
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
