import type { PDFPageProxy } from 'pdfjs-dist';
import type { TextContent, TextItem, TextMarkedContent } from 'pdfjs-dist/types/src/display/api.js';

import { cleanText } from '../clean-text.js';
import type { Layer, PageText } from '../layout/lines/piece.js';

/** Some 300 full pages: nobody reads more on one. */
const MAX_CHARACTERS = 1_000_000;
/** Every piece costs as much as some text, however little it says. */
const PIECE_CHARACTERS = 4;
/** Far beyond any page that people look at. */
const MAX_SECONDS = 20;
/** Text that is turned by less reads as if it were level. */
const LAYER_DEGREES = 15;

type Matrix = readonly [number, number, number, number, number, number];

/** What the document itself says that is a heading: levels by the ids of marked text. */
export type HeadingsById = ReadonlyMap<string, number>;

/** What is known of the marks in a page's text before it is read. */
export interface KnownMarks {
  headings: HeadingsById;
  /** Those of layers that are switched off: the how manieth of all marks of layers, from 0. */
  hiddenLayers?: ReadonlySet<number>;
}

export interface MarkedPageText extends PageText {
  /** How many marks of layers it has. */
  layerMarks: number;
}

/** Reads the text of a page and where it stands, as it is drawn; text outside of the page is not. */
export async function readPageText(
  page: PDFPageProxy,
  marks: KnownMarks,
  seconds = MAX_SECONDS,
): Promise<MarkedPageText> {
  const reader = page
    .streamTextContent({ includeMarkedContent: true })
    .getReader() as ReadableStreamDefaultReader<TextContent>;
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(resolve, seconds * 1000, 'late');
  const collector = new PieceCollector(page, marks);
  try {
    for (;;) {
      const read = await Promise.race([reader.read(), late]);
      if (read !== 'late' && read.done) return collector.end(false);
      if (read !== 'late') collector.add(read.value);
      if (read === 'late' || collector.isFull) return collector.end(true);
    }
  } finally {
    clearTimeout(timer);
    // Nobody waits: pdfjs stops when it comes to it.
    reader.cancel(new Error('Enough was read.')).catch(() => undefined);
  }
}

function times(outer: Matrix, inner: Matrix): Matrix {
  return [
    outer[0] * inner[0] + outer[2] * inner[1],
    outer[1] * inner[0] + outer[3] * inner[1],
    outer[0] * inner[2] + outer[2] * inner[3],
    outer[1] * inner[2] + outer[3] * inner[3],
    outer[0] * inner[4] + outer[2] * inner[5] + outer[4],
    outer[1] * inner[4] + outer[3] * inner[5] + outer[5],
  ];
}

/** Takes what pdfjs tells of a page piece by piece. */
class PieceCollector {
  private readonly turn: Matrix;
  private readonly scale: number;
  private readonly pageHeight: number;
  private readonly pageNumber: number;
  private readonly known: KnownMarks;
  private readonly layers = new Map<string, Layer>();
  private readonly verticalFonts = new Set<string>();
  /** Of the marked text that is open: a heading's level, false for what is on a hidden layer, null for the rest. */
  private readonly marks: (number | 'artifact' | false | null)[] = [];
  private characters = 0;
  private layerMarks = 0;
  private isSpaced = false;

  constructor(page: PDFPageProxy, known: KnownMarks) {
    const viewport = page.getViewport({ scale: 1 });
    this.turn = viewport.transform as unknown as Matrix;
    this.scale = Math.hypot(this.turn[0], this.turn[1]);
    this.pageHeight = viewport.height;
    this.pageNumber = page.pageNumber;
    this.known = known;
  }

  get isFull(): boolean {
    return this.characters >= MAX_CHARACTERS;
  }

  add({ items, styles }: TextContent): void {
    for (const [font, style] of Object.entries(styles)) if (style.vertical) this.verticalFonts.add(font);
    for (const item of items) {
      if (this.isFull) return;
      if ('str' in item) this.addText(item);
      else this.addMark(item);
    }
  }

  end(isCut: boolean): MarkedPageText {
    const charactersOf = (layer: Layer): number =>
      layer.pieces.reduce((sum, { text }) => sum + text.length, 0);
    const layers = [...this.layers.values()]
      .map((layer) => ({ layer, characters: charactersOf(layer) }))
      .toSorted((one, other) => other.characters - one.characters)
      .map(({ layer }) => layer);
    return { layers, isCut, layerMarks: this.layerMarks };
  }

  private addMark(mark: TextMarkedContent & { tag?: unknown }): void {
    if (mark.type === 'endMarkedContent') this.marks.pop();
    else if (this.isOnHiddenLayer(mark)) this.marks.push(false);
    else if (mark.tag === 'Artifact') this.marks.push('artifact');
    else this.marks.push(this.known.headings.get(mark.id) ?? null);
  }

  /** Marks without a name count as those of layers, as pdfjs takes them for that when it draws. */
  private isOnHiddenLayer({ type, tag }: TextMarkedContent & { tag?: unknown }): boolean {
    if (type !== 'beginMarkedContentProps' || (tag !== 'OC' && tag !== null)) return false;
    this.layerMarks += 1;
    return this.known.hiddenLayers?.has(this.layerMarks - 1) === true;
  }

  private addText(item: TextItem): void {
    const text = cleanText(item.str.slice(0, MAX_CHARACTERS - this.characters));
    this.characters += text.length + PIECE_CHARACTERS;
    if (text.trim() === '') {
      this.isSpaced = true;
      return;
    }
    if (!this.marks.includes(false)) this.place(item, text);
    this.isSpaced = false;
  }

  private place(item: TextItem, text: string): void {
    const matrix = times(this.turn, item.transform as unknown as Matrix);
    if (!matrix.every(Number.isFinite)) return;
    const isVertical = this.verticalFonts.has(item.fontName);
    const turns = Math.round((Math.atan2(matrix[1], matrix[0]) * 180) / Math.PI / LAYER_DEGREES);
    const angle = (turns * LAYER_DEGREES * Math.PI) / 180;
    const along = matrix[4] * Math.cos(angle) + matrix[5] * Math.sin(angle);
    const across = matrix[5] * Math.cos(angle) - matrix[4] * Math.sin(angle);
    const length = (isVertical ? item.height : item.width) * this.scale;
    // Columns of characters are lines that begin at the right edge.
    const left = isVertical ? across : along;
    const layer = this.layerOf(turns, isVertical);
    layer.pieces.push({
      text,
      left,
      right: left + length,
      baseline: isVertical ? -along : across,
      size: Math.hypot(matrix[2], matrix[3]) || 1,
      font: item.fontName,
      isSpaced: this.isSpaced,
      heading: this.marks.findLast((mark) => typeof mark === 'number') || null,
      isArtifact: this.marks.includes('artifact'),
    });
  }

  private layerOf(turns: number, isVertical: boolean): Layer {
    const key = `${turns} ${isVertical}`;
    const known = this.layers.get(key);
    if (known) return known;
    const pageHeight = turns === 0 && !isVertical ? this.pageHeight : null;
    const layer: Layer = { pieces: [], isVertical, pageHeight, page: this.pageNumber };
    this.layers.set(key, layer);
    return layer;
  }
}
