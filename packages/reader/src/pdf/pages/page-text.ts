import type { PDFPageProxy } from 'pdfjs-dist';
import type { TextContent, TextItem, TextMarkedContent } from 'pdfjs-dist/types/src/display/api.js';

import { cleanText } from '../clean-text.js';
import type { Layer, PageText } from '../layout/lines/piece.js';

/** About 300 full pages. */
const MAX_CHARACTERS = 1_000_000;
/** The cost of each piece, in characters, however short it is. */
const PIECE_CHARACTERS = 4;
/** Far more than any real page takes. */
const MAX_SECONDS = 20;
/** Text that is rotated by less reads as level. */
const LAYER_DEGREES = 15;

type Matrix = readonly [number, number, number, number, number, number];

/** The document's own headings: levels by the ids of marked text. */
export type HeadingsById = ReadonlyMap<string, number>;

/** What is known about the marks before the text is read. */
export interface KnownMarks {
  headings: HeadingsById;
  /** The indexes, from 0, of layer marks that belong to hidden layers. */
  hiddenLayers?: ReadonlySet<number>;
}

export interface MarkedPageText extends PageText {
  layerMarks: number;
}

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
    // Not awaited: pdfjs stops some time later.
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

class PieceCollector {
  private readonly turn: Matrix;
  private readonly scale: number;
  private readonly pageHeight: number;
  private readonly pageNumber: number;
  private readonly known: KnownMarks;
  private readonly layers = new Map<string, Layer>();
  private readonly verticalFonts = new Set<string>();
  /** The open marks: a heading's level, false on a hidden layer, null for others. */
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

  /** Marks without a name count as layer marks, as they do in pdfjs's operator list. */
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
    // A vertical line is treated as a horizontal one that begins at the right edge.
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
