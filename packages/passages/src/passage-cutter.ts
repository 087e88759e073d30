import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import type { ParsedPage } from '@palabre/reader';

import { splitBlock, type Span } from './block-splitting.js';
import type { LanguageDetector } from './language-detector.js';
import { type Block, BlockReader } from './markdown-blocks.js';
import { PageText } from './page-text.js';
import {
  type CountedBlock,
  PassageDraft,
  type Heading,
  pathBelow,
  sizes,
  introducesNext,
  continuesOnNextPage,
} from './passage-draft.js';
import type { CutPassage, Tokenizer } from './cut-passage.js';

/** Yields to the event loop after this time. */
const MAX_BLOCKING_MS = 5;
/** Longer blocks are not counted: they have to be cut anyway. In characters. */
const MAX_COUNTED_CHARACTERS = 20_000;
/** The head of a table is repeated in each piece, unless it is longer than this. In tokens. */
const MAX_HEAD_TOKENS = sizes.target / 2;

/**
 * Cuts a document into passages, page by page. Offsets refer to the whole text: all pages joined by two line breaks. A
 * passage is the text between its offsets, preceded by the table's head in later pieces of a table. Passages come in
 * order and cover everything but blanks; they overlap where a long paragraph was cut. None has more than 450 tokens. A
 * new page begins a new passage, unless a paragraph continues there; then the passage ends with that paragraph, so that
 * nothing further down the page is cited with the page before.
 */
export class PassageCutter {
  private readonly text = new PageText();
  private readonly blocks = new BlockReader();
  private path: readonly Heading[] = [];
  private draft: PassageDraft | null = null;
  /** A complete draft that may be merged with the next one. */
  private held: PassageDraft | null = null;
  private ordinal = 0;
  private isPageNew = false;
  /** The draft's last block began on an earlier page. */
  private hasRunOn = false;
  /** The language of the last passage that had a clear one. */
  private language: string | null = null;

  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly languages: LanguageDetector,
  ) {}

  /** Adds a page; returns the passages that are complete. */
  async push(page: ParsedPage): Promise<CutPassage[]> {
    const passages = await this.collect(this.readPage(page));
    this.text.forget(this.oldest());
    return passages;
  }

  /** Ends the document; returns the remaining passages. */
  end(): Promise<CutPassage[]> {
    return this.collect(this.readEnd());
  }

  /** Collects the passages, yielding to the event loop every few milliseconds. */
  private async collect(steps: Iterable<CutPassage | null>): Promise<CutPassage[]> {
    const passages: CutPassage[] = [];
    let began = performance.now();
    for (const passage of steps) {
      if (passage) passages.push(passage);
      if (performance.now() - began < MAX_BLOCKING_MS) continue;
      await yieldToEventLoop();
      began = performance.now();
    }
    return passages;
  }

  private *readEnd(): Generator<CutPassage> {
    yield* this.addBlocks(this.blocks.end());
    yield* this.closeAll();
  }

  /** Yields null after each line, as an opportunity to pause. */
  private *readPage({ number, markdown }: ParsedPage): Generator<CutPassage | null> {
    const isPaged = number !== null || this.text.isPaged;
    if (this.text.add(markdown, number)) {
      // The blank line between two pages.
      yield* this.addBlocks(isPaged ? this.blocks.end() : this.blocks.read('', this.text.lineStart));
      this.isPageNew ||= isPaged;
    }
    for (const { line, start } of this.text.lines()) {
      yield* this.addBlocks(this.blocks.read(line, start));
      yield null;
    }
  }

  private *addBlocks(blocks: readonly Block[]): Generator<CutPassage> {
    for (const block of blocks) yield* this.addBlock(block);
  }

  private *addBlock(block: Block): Generator<CutPassage> {
    let next = this.counted(block);
    const { last } = this.draft ?? {};
    const runsOn = this.isPageNew && last !== undefined && this.isSameParagraph(last, block);
    if (runsOn) {
      this.draft?.pop();
      next = this.counted({ ...block, start: last.start });
    } else if (this.isPageNew || this.hasRunOn) yield* this.closeAll();
    this.isPageNew = false;
    this.hasRunOn = runsOn;
    if (block.kind === 'heading') yield* this.addHeading(next);
    else if (next.tokens > sizes.most) yield* this.cutLongBlock(next);
    else yield* this.addToDraft(next);
  }

  private *addHeading(heading: CountedBlock): Generator<CutPassage> {
    const level = this.path.at(-1)?.level ?? 0;
    const draft = this.draft;
    const isBelow = draft && draft.hasOnlyHeadings && heading.level > level;
    if (!isBelow || draft.tokens + heading.tokens > sizes.enough) yield* this.closeDraft();
    this.path = pathBelow(this.path, heading);
    this.draft ??= this.newDraft(heading);
    this.draft.path = this.path;
    this.draft.add(heading);
  }

  private *addToDraft(block: CountedBlock): Generator<CutPassage> {
    if (this.draft && !this.draft.accepts(block, this.isLeadIn)) {
      const lead = this.draft.last && this.isLeadIn(this.draft.last) ? this.draft.pop() : undefined;
      if (this.draft.isEmpty) this.draft = null;
      yield* this.closeDraft();
      if (lead) {
        this.draft = this.newDraft(lead);
        this.draft.add(lead);
      }
    }
    if (this.draft && this.draft.tokens + block.tokens >= sizes.most) yield* this.closeDraft();
    this.draft ??= this.newDraft(block);
    this.draft.add(block);
  }

  /** Cuts a block that is too long for one passage. A short lead-in before it goes with its first piece. */
  private *cutLongBlock(block: CountedBlock): Generator<CutPassage> {
    const leads =
      this.draft && (this.draft.hasOnlyHeadings || (this.draft.last && this.isLeadIn(this.draft.last)));
    const lead = leads && this.draft && this.draft.tokens <= sizes.enough ? this.draft : null;
    if (lead) this.draft = null;
    yield* this.closeAll();
    const head = this.headOf(block);
    const room = head ? head.tokens : 0;
    const pieces = splitBlock(
      this.text.whole,
      block.kind,
      this.text.relative({ start: lead?.start ?? block.start, end: block.end }),
      {
        target: sizes.target - room,
        most: sizes.most - room,
        overlap: block.kind === 'table' ? 0 : sizes.overlap,
      },
      this.tokenizer,
    );
    for (const piece of pieces) yield* this.emit(this.text.absolute(piece), this.path, head);
  }

  /** The table head that later pieces repeat. */
  private headOf({ head }: Block): (Span & { tokens: number }) | null {
    if (!head) return null;
    const tokens = this.tokenizer.count(this.text.slice(head)) + 1;
    return tokens <= MAX_HEAD_TOKENS ? { ...head, tokens } : null;
  }

  private *closeDraft(): Generator<CutPassage> {
    const { draft, held } = this;
    this.draft = null;
    if (!draft) return;
    if (held?.canMerge(draft)) return held.append(draft);
    this.held = draft;
    if (held) yield* this.emitDraft(held);
  }

  private *closeAll(): Generator<CutPassage> {
    yield* this.closeDraft();
    if (this.held) yield* this.emitDraft(this.held);
    this.held = null;
  }

  private *emitDraft(draft: PassageDraft): Generator<CutPassage> {
    const [start, end] = [draft.start, draft.last?.end];
    if (start !== undefined && end !== undefined) yield* this.emit({ start, end }, draft.path, null);
  }

  /** `smaller`: the target size for splitting it if it is too long. */
  private *emit(
    span: Span,
    path: readonly Heading[],
    head: Span | null,
    smaller: number = sizes.target / 2,
  ): Generator<CutPassage> {
    const { start, end } = this.text.trimmed(span);
    if (end <= start) return;
    const slice = this.text.slice({ start, end });
    const text = head && start >= head.end ? `${this.text.slice(head)}\n${slice}` : slice;
    const tokens = this.tokenizer.count(text);
    // The joined parts can have more tokens than the sum of the single ones.
    if (tokens > sizes.most) return yield* this.emitParts({ start, end }, path, smaller);
    this.language = this.languages.detect(slice) ?? this.language;
    yield {
      ordinal: this.ordinal++,
      page: this.text.pageAt(start),
      pageBreaks: this.text.breaksIn({ start, end }, text.length - slice.length),
      headings: path.map(({ title }) => title),
      startOffset: start,
      endOffset: end,
      tokens,
      language: this.language,
      text,
    };
  }

  private *emitParts(span: Span, path: readonly Heading[], target: number): Generator<CutPassage> {
    const parts = { target, most: target, overlap: 0 };
    const { whole } = this.text;
    for (const piece of splitBlock(whole, 'paragraph', this.text.relative(span), parts, this.tokenizer))
      yield* this.emit(this.text.absolute(piece), path, null, target / 2);
  }

  private counted(block: Block): CountedBlock {
    const isLong = block.end - block.start > MAX_COUNTED_CHARACTERS;
    return { ...block, tokens: isLong ? Infinity : this.tokenizer.count(this.text.slice(block)) };
  }

  private isSameParagraph(last: Block, next: Block): boolean {
    if (last.kind !== 'paragraph' || next.kind !== 'paragraph') return false;
    return continuesOnNextPage(this.text.slice(last), this.text.slice(next));
  }

  private readonly isLeadIn = (block: CountedBlock): boolean =>
    introducesNext(block.kind, this.text.slice(block), block.tokens < sizes.lead);

  private newDraft({ start }: Span): PassageDraft {
    return new PassageDraft(this.path, this.text.pageAt(start));
  }

  /** The offset from which the text is still needed. */
  private oldest(): number {
    const starts = [this.held?.start, this.draft?.start, this.blocks.openStart ?? undefined];
    return Math.min(this.text.end, ...starts.filter((start) => start !== undefined));
  }
}
