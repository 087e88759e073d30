import { graphemesOf, linePieces } from './line-pieces.js';
import { PdfFonts, type Run } from './pdf-fonts.js';

/** Sizes are in points. */
export interface TextStyle {
  size: number;
  /** Hexadecimal digits. */
  colour: string;
  isBold?: boolean;
}

export interface Line {
  runs: readonly Run[];
  width: number;
}

/** What is not cut: a word, with the space behind it. */
interface Piece {
  text: string;
  /** Without the space. */
  width: number;
  spaceWidth: number;
}

const LEADING = 1.42;
/** How far below the top of its line a text stands. */
const ASCENT = 1.06;
const THICKNESS = 0.035;

export const lineHeight = ({ size }: TextStyle): number => size * LEADING;

/** Sets text in lines, whatever scripts it is made of. */
export class PdfText {
  private readonly document: PDFKit.PDFDocument;
  private readonly fonts: PdfFonts;
  private readonly widths = new Map<string, number>();

  constructor(document: PDFKit.PDFDocument) {
    this.document = document;
    this.fonts = new PdfFonts(document);
  }

  widthOf(text: string, style: TextStyle): number {
    const key = `${style.isBold ? 'b' : ''}${style.size} ${text}`;
    const known = this.widths.get(key);
    if (known !== undefined) return known;
    const width = this.fonts
      .runs(text, style.isBold ?? false)
      .reduce(
        (sum, run) => sum + this.document.font(run.font).fontSize(style.size).widthOfString(run.text),
        0,
      );
    this.widths.set(key, width);
    return width;
  }

  /** The lines of a text that fit into `width`; words that do not are cut. An empty text has one empty line. */
  lines(text: string, style: TextStyle, width: number): Line[] {
    const lines: Line[] = [];
    let line: Piece[] = [];
    let taken = 0;
    for (const piece of this.pieces(text, style, width)) {
      if (line.length > 0 && taken + piece.width > width) {
        lines.push(this.line(line, style));
        line = [];
        taken = 0;
      }
      line.push(piece);
      taken += piece.width + piece.spaceWidth;
    }
    return [...lines, this.line(line, style)];
  }

  /** One line, cut with an ellipsis where it does not fit. */
  shortened(text: string, style: TextStyle, width: number): Line {
    const characters = graphemesOf(text).map((character) => this.piece(character, style));
    const whole = this.line(characters, style);
    if (whole.width <= width) return whole;
    const ellipsis = this.piece('…', style);
    const kept: Piece[] = [];
    let taken = ellipsis.width;
    for (const piece of characters) {
      taken += piece.width + piece.spaceWidth;
      if (taken > width) break;
      kept.push(piece);
    }
    return this.line([...kept, ellipsis], style);
  }

  /** Draws lines below each other. `top` is where the first begins. */
  draw(
    lines: readonly Line[],
    at: { x: number; top: number; width: number; isEnd?: boolean },
    style: TextStyle,
  ): void {
    for (const [index, line] of lines.entries()) {
      const x = at.isEnd ? at.x + at.width - line.width : at.x;
      this.drawLine(line, x, at.top + index * lineHeight(style) + style.size * ASCENT, style);
    }
  }

  private drawLine(line: Line, x: number, baseline: number, style: TextStyle): void {
    let left = x;
    const { document } = this;
    for (const run of line.runs) {
      document.font(run.font).fontSize(style.size).fillColor(`#${style.colour}`);
      if (run.isThickened) document.strokeColor(`#${style.colour}`).lineWidth(style.size * THICKNESS);
      document.text(run.text, left, baseline, {
        lineBreak: false,
        baseline: 'alphabetic',
        ...(run.isThickened ? { fill: true, stroke: true } : {}),
      });
      left += document.widthOfString(run.text);
    }
  }

  private line(pieces: readonly Piece[], style: TextStyle): Line {
    const text = pieces.map((piece) => piece.text).join('');
    const last = pieces.at(-1);
    const width =
      pieces.reduce((sum, piece) => sum + piece.width + piece.spaceWidth, 0) - (last?.spaceWidth ?? 0);
    return { runs: this.fonts.runs(text.trimEnd(), style.isBold ?? false), width };
  }

  private piece(text: string, style: TextStyle): Piece {
    const word = text.trimEnd();
    return {
      text,
      width: this.widthOf(word, style),
      spaceWidth: word === text ? 0 : this.widthOf(text.slice(word.length), style),
    };
  }

  private pieces(text: string, style: TextStyle, width: number): Piece[] {
    return linePieces(text).flatMap((text) => {
      const piece = this.piece(text, style);
      return piece.width <= width ? [piece] : this.cut(text, style, width);
    });
  }

  /** A word that is longer than a line, in parts that are not. */
  private cut(word: string, style: TextStyle, width: number): Piece[] {
    const pieces: Piece[] = [];
    let piece: Piece = { text: '', width: 0, spaceWidth: 0 };
    for (const character of graphemesOf(word)) {
      const next = this.piece(character, style);
      if (piece.text !== '' && piece.width + next.width > width) {
        pieces.push(piece);
        piece = next;
      } else {
        piece = {
          text: piece.text + character,
          width: piece.width + next.width,
          spaceWidth: next.spaceWidth,
        };
      }
    }
    return [...pieces, piece];
  }
}
