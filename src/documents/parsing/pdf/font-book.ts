import type { PDFPageProxy } from 'pdfjs-dist';

/** Fonts are looked up on pages that are read as fast; others hold drawings that would take long. */
const MAX_MILLISECONDS = 300;
/** New fonts on later pages count as not bold. */
const MAX_PAGES = 40;

const boldName = /bold|black|heavy|semibold|demi|gras|-bd\b|bx\d+|粗|黑体|heiti/i;

/** Knows which fonts are bold, by their names: pdfjs tells those only with all that is drawn on a page. */
export class FontBook {
  private readonly bold = new Map<string, boolean>();
  private pages = 0;

  readonly isBold = (font: string): boolean => this.bold.get(font) ?? false;

  /** Looks up the fonts of a page that was read within `milliseconds`. */
  async learn(page: PDFPageProxy, fonts: ReadonlySet<string>, milliseconds: number): Promise<void> {
    const unknown = [...fonts].filter((font) => !this.bold.has(font));
    if (unknown.length === 0 || milliseconds > MAX_MILLISECONDS || this.pages >= MAX_PAGES) return;
    this.pages += 1;
    // Drawings may be broken where the text is not.
    await page.getOperatorList().catch(() => undefined);
    for (const font of unknown) this.bold.set(font, isBoldFont(page, font));
  }
}

const isBoldFont = (page: PDFPageProxy, id: string): boolean => {
  if (!page.commonObjs.has(id)) return false;
  const font: unknown = page.commonObjs.get(id);
  if (typeof font !== 'object' || font === null) return false;
  const name = 'name' in font && typeof font.name === 'string' ? font.name : '';
  return boldName.test(name);
};
