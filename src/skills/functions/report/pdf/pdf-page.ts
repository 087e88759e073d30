import { colours } from '../look.js';
import { type Line, lineHeight, PdfText, type TextStyle } from './pdf-text.js';

/** A4 in points. */
export const page = { width: 595.28, height: 841.89, left: 58, right: 58, top: 84, bottom: 72 } as const;
export const bodyWidth = page.width - page.left - page.right;

export const styles = {
  title: { size: 27, colour: colours.ink, isBold: true },
  subtitle: { size: 13, colour: colours.accent, isBold: true },
  company: { size: 16, colour: colours.ink, isBold: true },
  heading1: { size: 16.5, colour: colours.accent, isBold: true },
  heading2: { size: 12, colour: colours.ink, isBold: true },
  body: { size: 10, colour: colours.ink },
  strong: { size: 10, colour: colours.ink, isBold: true },
  small: { size: 8.6, colour: colours.ink },
  smallStrong: { size: 8.6, colour: colours.ink, isBold: true },
  muted: { size: 8.6, colour: colours.muted },
  link: { size: 8.6, colour: colours.link },
  figure: { size: 18, colour: colours.accent, isBold: true },
  smallFigure: { size: 13, colour: colours.accent, isBold: true },
} as const satisfies Record<string, TextStyle>;

/** The place on the pages where the next block goes, and what is drawn there. */
export class PdfPage {
  readonly document: PDFKit.PDFDocument;
  readonly text: PdfText;
  /** Where the next block begins. */
  y: number = page.top;

  constructor(document: PDFKit.PDFDocument) {
    this.document = document;
    this.text = new PdfText(document);
  }

  get room(): number {
    return page.height - page.bottom - this.y;
  }

  get isFresh(): boolean {
    return this.y === page.top;
  }

  next(): void {
    this.document.addPage();
    this.y = page.top;
  }

  /** Goes on to the next page unless there are `height` points left on this one. */
  keep(height: number): void {
    if (height > this.room && !this.isFresh) this.next();
  }

  skip(points: number): void {
    if (!this.isFresh) this.y += points;
  }

  paint(box: { x: number; y: number; width: number; height: number }, colour: string): void {
    this.document.rect(box.x, box.y, box.width, box.height).fill(`#${colour}`);
  }

  rule(y: number, colour: string = colours.rule): void {
    this.paint({ x: page.left, y, width: bodyWidth, height: 0.6 }, colour);
  }

  /** Lines over as many pages as they take. `decorate` draws beside or below what stands on one page. */
  flow(
    lines: readonly Line[],
    style: TextStyle,
    at: { x?: number; width?: number } = {},
    decorate?: (part: { y: number; height: number }) => void,
  ): void {
    let rest = lines;
    while (rest.length > 0) {
      this.keep(lineHeight(style));
      const count = Math.max(1, Math.floor((this.room + 0.01) / lineHeight(style)));
      const part = rest.slice(0, count);
      rest = rest.slice(count);
      const height = part.length * lineHeight(style);
      decorate?.({ y: this.y, height });
      this.text.draw(part, { x: at.x ?? page.left, top: this.y, width: at.width ?? bodyWidth }, style);
      this.y += height;
      if (rest.length > 0) this.next();
    }
  }
}
