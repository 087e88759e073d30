import { setImmediate as nextRound } from 'node:timers/promises';

import type { Tokenizer } from '../../llm/tokens/tokenizer.js';
import type { ParsedPage } from '../parsing/parsed-document.js';
import type { CutPassage } from './cut-passage.js';
import { type Block, BlockReader } from './cutting/blocks.js';
import { type CountedBlock, Draft, type Heading, pathBelow, sizes } from './cutting/draft.js';
import { PageText } from './cutting/page-text.js';
import { piecesOf } from './cutting/pieces.js';
import { leadsOn, runsOn } from './cutting/running-on.js';
import type { Span } from './cutting/spans.js';
import type { LanguageDetector } from './language/language-detector.js';

/** Then others get their turn. */
const LONGEST_MS = 5;
/** A block of more characters is not counted: it has to be cut anyway. */
const LONGEST_WHOLE = 20_000;
/** The head of a table is repeated where the table is cut, unless it would leave no room. */
const LONGEST_HEAD = sizes.target / 2;

/**
 * Cuts a document into passages, page by page as they come. Its whole text is all pages joined by two line breaks: what
 * offsets are of. A passage is the text between its offsets, with the head of its table before it where the table was
 * cut further up. Passages are in order and cover all that is not blank; the next one may begin before one ends, where
 * a paragraph was too long for one. None has more than 450 tokens. A new page begins a new passage, unless a paragraph
 * runs on there, which then ends with it: what stands further down is not to be looked for on the page before.
 */
export class PassageCutter {
  private readonly text = new PageText();
  private readonly blocks = new BlockReader();
  private path: readonly Heading[] = [];
  private draft: Draft | null = null;
  /** What is complete, and may be put together with what comes next. */
  private held: Draft | null = null;
  private ordinal = 0;
  private isPageNew = false;
  /** The draft's last block began on an earlier page than the one that is read. */
  private hasRunOn = false;
  /** Of the last passage that told. */
  private language: string | null = null;

  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly languages: LanguageDetector,
  ) {}

  /** The passages that are complete now. */
  async push(page: ParsedPage): Promise<CutPassage[]> {
    const passages = await this.collect(this.readPage(page));
    this.text.forget(this.oldest());
    return passages;
  }

  /** The last ones. */
  end(): Promise<CutPassage[]> {
    return this.collect(this.readEnd());
  }

  /** Lets others have their turn every few milliseconds. */
  private async collect(steps: Iterable<CutPassage | null>): Promise<CutPassage[]> {
    const passages: CutPassage[] = [];
    let began = performance.now();
    for (const passage of steps) {
      if (passage) passages.push(passage);
      if (performance.now() - began < LONGEST_MS) continue;
      await nextRound();
      began = performance.now();
    }
    return passages;
  }

  private *readEnd(): Generator<CutPassage> {
    yield* this.takeAll(this.blocks.end());
    yield* this.closeAll();
  }

  /** Null: a line was read, and nothing is complete. */
  private *readPage({ number, markdown }: ParsedPage): Generator<CutPassage | null> {
    const isPaged = number !== null || this.text.isPaged;
    if (this.text.add(markdown, number)) {
      // The blank line between two pages.
      yield* this.takeAll(isPaged ? this.blocks.end() : this.blocks.read('', this.text.lineStart));
      this.isPageNew ||= isPaged;
    }
    for (const { line, start } of this.text.lines()) {
      yield* this.takeAll(this.blocks.read(line, start));
      yield null;
    }
  }

  private *takeAll(blocks: readonly Block[]): Generator<CutPassage> {
    for (const block of blocks) yield* this.take(block);
  }

  private *take(block: Block): Generator<CutPassage> {
    let next = this.counted(block);
    const { last } = this.draft ?? {};
    const runsOn = this.isPageNew && last !== undefined && this.isOne(last, block);
    if (runsOn) {
      this.draft?.pop();
      next = this.counted({ ...block, start: last.start });
    } else if (this.isPageNew || this.hasRunOn) yield* this.closeAll();
    this.isPageNew = false;
    this.hasRunOn = runsOn;
    if (block.kind === 'heading') yield* this.takeHeading(next);
    else if (next.tokens > sizes.most) yield* this.cut(next);
    else yield* this.gather(next);
  }

  private *takeHeading(heading: CountedBlock): Generator<CutPassage> {
    const level = this.path.at(-1)?.level ?? 0;
    const draft = this.draft;
    const isBelow = draft && draft.isHeadings && heading.level > level;
    if (!isBelow || draft.tokens + heading.tokens > sizes.enough) yield* this.close();
    this.path = pathBelow(this.path, heading);
    this.draft ??= this.newDraft(heading);
    this.draft.path = this.path;
    this.draft.add(heading);
  }

  private *gather(block: CountedBlock): Generator<CutPassage> {
    if (this.draft && !this.draft.takes(block, this.leads)) {
      const lead = this.draft.last && this.leads(this.draft.last) ? this.draft.pop() : undefined;
      if (this.draft.isEmpty) this.draft = null;
      yield* this.close();
      if (lead) {
        this.draft = this.newDraft(lead);
        this.draft.add(lead);
      }
    }
    if (this.draft && this.draft.tokens + block.tokens >= sizes.most) yield* this.close();
    this.draft ??= this.newDraft(block);
    this.draft.add(block);
  }

  /** A block that is too long for one passage. What was said just before it goes with its beginning. */
  private *cut(block: CountedBlock): Generator<CutPassage> {
    const leads = this.draft && (this.draft.isHeadings || (this.draft.last && this.leads(this.draft.last)));
    const lead = leads && this.draft && this.draft.tokens <= sizes.enough ? this.draft : null;
    if (lead) this.draft = null;
    yield* this.closeAll();
    const head = this.headOf(block);
    const room = head ? head.tokens : 0;
    const pieces = piecesOf(
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

  /** Of a table: the head that its later pieces repeat. */
  private headOf({ head }: Block): (Span & { tokens: number }) | null {
    if (!head) return null;
    const tokens = this.tokenizer.count(this.text.slice(head)) + 1;
    return tokens <= LONGEST_HEAD ? { ...head, tokens } : null;
  }

  private *close(): Generator<CutPassage> {
    const { draft, held } = this;
    this.draft = null;
    if (!draft) return;
    if (held?.joins(draft)) return held.append(draft);
    this.held = draft;
    if (held) yield* this.emitDraft(held);
  }

  private *closeAll(): Generator<CutPassage> {
    yield* this.close();
    if (this.held) yield* this.emitDraft(this.held);
    this.held = null;
  }

  private *emitDraft(draft: Draft): Generator<CutPassage> {
    const [start, end] = [draft.start, draft.last?.end];
    if (start !== undefined && end !== undefined) yield* this.emit({ start, end }, draft.path, null);
  }

  /** `smaller`: what it is cut to if it is too long. */
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
    // Parts were counted by themselves, which may be less than what they are together.
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
    for (const piece of piecesOf(whole, 'paragraph', this.text.relative(span), parts, this.tokenizer)) {
      yield* this.emit(this.text.absolute(piece), path, null, target / 2);
    }
  }

  private counted(block: Block): CountedBlock {
    const isLong = block.end - block.start > LONGEST_WHOLE;
    return { ...block, tokens: isLong ? Infinity : this.tokenizer.count(this.text.slice(block)) };
  }

  private isOne(last: Block, next: Block): boolean {
    if (last.kind !== 'paragraph' || next.kind !== 'paragraph') return false;
    return runsOn(this.text.slice(last), this.text.slice(next));
  }

  private readonly leads = (block: CountedBlock): boolean =>
    leadsOn(block.kind, this.text.slice(block), block.tokens < sizes.lead);

  private newDraft({ start }: Span): Draft {
    return new Draft(this.path, this.text.pageAt(start));
  }

  /** Where what is needed of the text begins. */
  private oldest(): number {
    const starts = [this.held?.start, this.draft?.start, this.blocks.openStart ?? undefined];
    return Math.min(this.text.end, ...starts.filter((start) => start !== undefined));
  }
}
