import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';

import { hasDrawing, isScan } from '../drawing.js';
import { FontBook } from '../font-book.js';
import { readAnnotations } from '../form-values.js';
import { HiddenLayers } from '../hidden-layers.js';
import { toMarkdown } from '../layout/markdown.js';
import { pageBlocks } from '../layout/page-layout.js';
import type { PageText } from '../layout/lines/piece.js';
import { RunningLines } from '../layout/lines/running-lines.js';
import { textOf, toSegments } from '../layout/lines/segment.js';
import { StyleSample, type TextStyle } from '../layout/text-style.js';
import { readMarkedHeadings, type PageTitles, readOutline } from '../outline.js';
import { readPageText } from './page-text.js';

/** Enough pages to know the document's typography. */
const SAMPLE_PAGES = 24;
/** The limit of sample text kept until its page is due. */
const SAMPLE_CHARACTERS = 500_000;
/**
 * Only pages whose text took no more processor time are checked for fonts and drawings; on others that could take long.
 * Not measured by the clock, or a busy machine would read the same file in another way.
 */
const MAX_PROCESSOR_MS = 300;
/** The length of a stamp, such as a number, a date or a name. */
const MAX_STAMP_CHARACTERS = 100;
/** Larger text is a title. As a share of the page's height. */
const MAX_STAMP_SIZE = 0.02;
/** A page with more text is not a scan, even if all pages have this text. */
const MAX_SCAN_CHARACTERS = 500;

export interface PdfPage {
  markdown: string;
  /** Whether the page has text of its own, besides form values. */
  hasText: boolean;
  /** Whether the page has pictures or drawings and no text. */
  isDrawn: boolean;
  /** A picture with a little text: `stamp`, or `running` if the text is on most pages. */
  scan: 'stamp' | 'running' | null;
  /** Some of its text was left out, as it is on hidden layers. */
  isPartlyHidden: boolean;
  /** The share of characters whose meaning is unknown: 0 to 1. */
  unreadableShare: number;
  isCut: boolean;
  /** Names of files that are attached to it. */
  files: readonly string[];
}

/** The pages of a PDF as Markdown. A sample is read first, to know the document's typography. */
export class PdfPages {
  private readonly document: PDFDocumentProxy;
  private readonly fonts = new FontBook();
  private readonly running = new RunningLines();
  private readonly sampled = new Map<number, ReadText>();
  private outline: ReadonlyMap<number, PageTitles> = new Map();
  private style: TextStyle | null = null;
  private hidden: HiddenLayers | null = null;

  constructor(document: PDFDocumentProxy) {
    this.document = document;
  }

  /** From 1, each once and ascending. Rejects for a page that cannot be read. */
  async read(number: number): Promise<PdfPage> {
    this.style ??= await this.survey();
    const page = await this.document.getPage(number);
    try {
      const text = this.sampled.get(number) ?? (await this.readText(page));
      this.sampled.delete(number);
      const titles = this.outline.get(number - 1) ?? new Map();
      const markdown = toMarkdown(pageBlocks(text, { ...this.style, titles }, this.running));
      const written = await readAnnotations(page).catch(() => null);
      return {
        markdown: [markdown, written?.markdown ?? ''].filter((part) => part !== '').join('\n\n'),
        hasText: markdown !== '',
        isDrawn: text.isDrawn,
        scan: text.isScan && !written?.markdown ? this.scanOf(text) : null,
        isPartlyHidden: text.isPartlyHidden,
        unreadableShare: this.fonts.unreadableShare(text),
        isCut: text.isCut || written?.isCut === true,
        files: written?.files ?? [],
      };
    } finally {
      page.cleanup();
    }
  }

  private scanOf({ layers }: ReadText): PdfPage['scan'] {
    let characters = 0;
    for (const layer of layers)
      for (const segment of this.running.beside(toSegments(layer.pieces), layer)) {
        if (layer.pageHeight !== null && segment.size > MAX_STAMP_SIZE * layer.pageHeight) return null;
        characters += textOf(segment).length;
      }
    if (characters === 0) return 'running';
    return characters < MAX_STAMP_CHARACTERS ? 'stamp' : null;
  }

  private async survey(): Promise<TextStyle> {
    this.outline = await readOutline(this.document);
    this.hidden = await HiddenLayers.of(this.document);
    const sample = new StyleSample();
    let characters = 0;
    for (const number of samplePages(this.document.numPages)) {
      if (characters > SAMPLE_CHARACTERS) break;
      const text = await this.readSample(number);
      const [layer] = text?.layers ?? [];
      if (!text || !layer) continue;
      this.sampled.set(number, text);
      const segments = toSegments(layer.pieces);
      characters += layer.pieces.reduce((sum, piece) => sum + piece.text.length, 0);
      sample.add(segments);
      this.running.count(segments, layer);
    }
    return sample.style(this.fonts.isBold);
  }

  /** Null: it cannot be read. The error is reported when the page is due. */
  private async readSample(number: number): Promise<ReadText | null> {
    try {
      const page = await this.document.getPage(number);
      try {
        return await this.readText(page);
      } finally {
        page.cleanup();
      }
    } catch {
      return null;
    }
  }

  private async readText(page: PDFPageProxy): Promise<ReadText> {
    const startedAt = process.cpuUsage();
    const headings = await readMarkedHeadings(page);
    const all = await readPageText(page, { headings });
    const { user, system } = process.cpuUsage(startedAt);
    const isFast = (user + system) / 1000 <= MAX_PROCESSOR_MS;
    const hiddenLayers =
      isFast && all.layerMarks > 0 ? await this.hidden?.marksOf(page, all.layerMarks) : null;
    const text = hiddenLayers?.size ? await readPageText(page, { headings, hiddenLayers }) : all;
    const fonts = new Set(text.layers.flatMap(({ pieces }) => pieces.map(({ font }) => font)));
    if (isFast) await this.fonts.learn(page, fonts);
    const isPartlyHidden = charactersOf(text) < charactersOf(all);
    const isShort = fonts.size > 0 && charactersOf(text) <= MAX_SCAN_CHARACTERS;
    return {
      ...text,
      isPartlyHidden,
      isDrawn: fonts.size === 0 && (!isFast || (await hasDrawing(page))),
      isScan: isFast && isShort && (await isScan(page)),
    };
  }
}

interface ReadText extends PageText {
  isPartlyHidden: boolean;
  /** Whether the page has something other than text. */
  isDrawn: boolean;
  /** Whether the page has little text on a picture of its full size. */
  isScan: boolean;
}

function charactersOf({ layers }: PageText): number {
  return layers.reduce(
    (sum, { pieces }) => sum + pieces.reduce((characters, { text }) => characters + text.length, 0),
    0,
  );
}

/** Some pages from the beginning, where titles are, and others spread over the document. */
function samplePages(pages: number): number[] {
  if (pages <= SAMPLE_PAGES) return Array.from({ length: pages }, (_, index) => index + 1);
  const first = SAMPLE_PAGES / 2;
  const step = (pages - first) / (SAMPLE_PAGES - first);
  return Array.from({ length: SAMPLE_PAGES }, (_, index) =>
    index < first ? index + 1 : Math.floor(first + (index - first + 1) * step),
  );
}
