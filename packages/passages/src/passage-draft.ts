import type { Block, BlockKind } from './markdown-blocks.js';

/** A heading above a position in the text. */
export interface Heading {
  level: number;
  title: string;
}

export interface CountedBlock extends Block {
  tokens: number;
}

/** In tokens. Tuned by `npm run bench -- documents`. */
export const sizes = {
  /** Blocks are gathered up to this size; long blocks are cut to it. */
  target: 300,
  /** The maximum. Shorter paragraphs stay whole. */
  most: 450,
  /** A passage of this size stands alone; smaller ones gather more blocks. */
  enough: 100,
  /** The upper bound for a lead-in: a question or bold line that introduces the next block. */
  lead: 40,
  /** Sections below this size are merged with a neighbour. */
  tiny: 24,
  overlap: 60,
} as const;

/** Tokens of the blank line between two blocks. */
const SEAM = 1;

export class PassageDraft {
  readonly blocks: CountedBlock[] = [];
  tokens = 0;

  /** `path`: the headings above it, its own included. */
  constructor(
    public path: readonly Heading[],
    readonly page: number | null,
  ) {}

  get start(): number | undefined {
    return this.blocks[0]?.start;
  }

  get isEmpty(): boolean {
    return this.blocks.length === 0;
  }

  /** Whether it has no text below its headings yet. */
  get hasOnlyHeadings(): boolean {
    return this.blocks.every(({ kind }) => kind === 'heading');
  }

  get last(): CountedBlock | undefined {
    return this.blocks.at(-1);
  }

  add(block: CountedBlock): void {
    this.tokens += block.tokens + (this.isEmpty ? 0 : SEAM);
    this.blocks.push(block);
  }

  pop(): CountedBlock | undefined {
    const block = this.blocks.pop();
    if (block) this.tokens -= block.tokens + (this.isEmpty ? 0 : SEAM);
    return block;
  }

  /** Whether a block other than a heading belongs to it. `leads`: see introducesNext. */
  accepts(block: CountedBlock, leads: (block: CountedBlock) => boolean): boolean {
    const total = this.tokens + SEAM + block.tokens;
    if (this.hasOnlyHeadings || (this.last && leads(this.last))) return total <= sizes.most;
    const says = this.blocks.reduce((sum, { kind, tokens }) => sum + (kind === 'heading' ? 0 : tokens), 0);
    if (leads(block) && says >= sizes.lead) return false;
    return says < sizes.enough && total <= sizes.target;
  }

  /** Whether to merge it with the next draft: one of them is tiny, and they are in the same or neighbouring sections. */
  canMerge(next: PassageDraft): boolean {
    if (this.page !== next.page || this.tokens + SEAM + next.tokens > sizes.target) return false;
    const [own, others] = [this.path, next.path];
    if (isSame(own, others)) return Math.min(this.tokens, next.tokens) < sizes.tiny;
    if (Math.max(this.tokens, next.tokens) >= sizes.tiny) return false;
    const isChild = isSame(own, others.slice(0, own.length));
    return isChild || (own.length === others.length && isSame(own.slice(0, -1), others.slice(0, -1)));
  }

  /** Appends the next draft; its path becomes the shared part of both. */
  append(next: PassageDraft): void {
    const shared = this.path.findIndex((heading, index) => !isEqual(heading, next.path[index]));
    if (shared >= 0) this.path = this.path.slice(0, shared);
    for (const block of next.blocks) this.add(block);
  }
}

function isEqual(one: Heading, other: Heading | undefined): boolean {
  return one.level === other?.level && one.title === other.title;
}

function isSame(one: readonly Heading[], other: readonly Heading[]): boolean {
  return one.length === other.length && one.every((heading, index) => isEqual(heading, other[index]));
}

/** The path of a heading that follows below `path`. */
export function pathBelow(path: readonly Heading[], heading: Heading): Heading[] {
  return [...path.filter(({ level }) => level < heading.level), heading];
}

/** A shorter paragraph may be a caption or a page footer. */
const MIN_CHARACTERS = 40;

const ENDED = /[.!?…:。！？：]["'”’»」』）)\]]*$/u;
const GOES_ON = /^[\p{Ll}\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}(“"«]/u;
const HAS_NO_CASE = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}，、]$/u;
const HAS_CASE_START = /^\p{Ll}/u;

/** Whether a paragraph at the end of a page continues at the beginning of the next. */
export function continuesOnNextPage(before: string, after: string): boolean {
  const [head, tail] = [before.trimEnd(), after.trimStart()];
  if (head.length < MIN_CHARACTERS || ENDED.test(head) || !GOES_ON.test(tail)) return false;
  return HAS_CASE_START.test(tail) || HAS_NO_CASE.test(head);
}

const BOLD_LINE = /^(?:\*\*|__)[^\n]{1,200}(?:\*\*|__)$/u;
const ASKS = /[?？:：؟]["'”’»」』）)\]*_]*$/u;

/** Whether a short paragraph introduces the next block, as a question or a bold line does. */
export function introducesNext(kind: BlockKind, text: string, isShort: boolean): boolean {
  return kind === 'paragraph' && isShort && (ASKS.test(text.trimEnd()) || BOLD_LINE.test(text.trim()));
}
