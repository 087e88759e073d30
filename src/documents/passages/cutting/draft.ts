import type { Block } from './blocks.js';

/** A heading that a place stands below. */
export interface Heading {
  level: number;
  title: string;
}

export interface CountedBlock extends Block {
  tokens: number;
}

/** In tokens. Tuned by `npm run bench -- documents`. */
export const sizes = {
  /** What blocks are gathered up to, and what is too long is cut to. */
  target: 300,
  /** No passage has more. A paragraph that has less stays whole. */
  most: 450,
  /** So much says something by itself: what has less is gathered. */
  enough: 100,
  /** What a question or a line in bold, which leads on to what follows, has less than. */
  lead: 40,
  /** A section with less is put together with one like it. */
  tiny: 24,
  overlap: 60,
} as const;

/** Between two blocks there is a blank line. */
const SEAM = 1;

/** Blocks on their way to become one passage. */
export class Draft {
  readonly blocks: CountedBlock[] = [];
  tokens = 0;

  /** `path`: the headings it stands below, its own included. */
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

  /** Whether nothing was said below its headings yet. */
  get isHeadings(): boolean {
    return this.blocks.every(({ kind }) => kind === 'heading');
  }

  get last(): CountedBlock | undefined {
    return this.blocks.at(-1);
  }

  add(block: CountedBlock): void {
    this.tokens += block.tokens + (this.isEmpty ? 0 : SEAM);
    this.blocks.push(block);
  }

  /** Takes the last block out again. */
  pop(): CountedBlock | undefined {
    const block = this.blocks.pop();
    if (block) this.tokens -= block.tokens + (this.isEmpty ? 0 : SEAM);
    return block;
  }

  /** Whether a block that is no heading belongs into it. `leads`: see leadsOn. */
  takes(block: CountedBlock, leads: (block: CountedBlock) => boolean): boolean {
    const together = this.tokens + SEAM + block.tokens;
    if (this.isHeadings || (this.last && leads(this.last))) return together <= sizes.most;
    const says = this.blocks.reduce((sum, { kind, tokens }) => sum + (kind === 'heading' ? 0 : tokens), 0);
    if (leads(block) && says >= sizes.lead) return false;
    return says < sizes.enough && together <= sizes.target;
  }

  /** Whether the two are better off as one: what says next to nothing, beside what is like it or goes before it. */
  joins(next: Draft): boolean {
    if (this.page !== next.page || this.tokens + SEAM + next.tokens > sizes.target) return false;
    const [own, others] = [this.path, next.path];
    if (isSame(own, others)) return Math.min(this.tokens, next.tokens) < sizes.tiny;
    if (Math.max(this.tokens, next.tokens) >= sizes.tiny) return false;
    const isChild = isSame(own, others.slice(0, own.length));
    return isChild || (own.length === others.length && isSame(own.slice(0, -1), others.slice(0, -1)));
  }

  /** Takes in what follows. */
  append(next: Draft): void {
    const shared = this.path.findIndex((heading, index) => !isEqual(heading, next.path[index]));
    if (shared >= 0) this.path = this.path.slice(0, shared);
    for (const block of next.blocks) this.add(block);
  }
}

const isEqual = (one: Heading, other: Heading | undefined): boolean =>
  one.level === other?.level && one.title === other.title;

const isSame = (one: readonly Heading[], other: readonly Heading[]): boolean =>
  one.length === other.length && one.every((heading, index) => isEqual(heading, other[index]));

/** Where a heading of this level stands. */
export const pathBelow = (path: readonly Heading[], heading: Heading): Heading[] => [
  ...path.filter(({ level }) => level < heading.level),
  heading,
];
