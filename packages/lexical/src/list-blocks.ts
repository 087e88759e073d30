import { eachPosting, PostingWriter } from './postings.js';

/** Lists that grow beyond this leave their block for a row of their own. */
export const MAX_SHORT_BYTES = 160;

/** Lists of their own that are not longer than this after a compaction go into a block. */
export const LEAST_OWN_BYTES = MAX_SHORT_BYTES / 2;

/** A block that grows beyond this is split. A search reads a block for each of its terms. */
const MAX_BLOCK_BYTES = 1024;

/** How full the blocks are that a block is split into: they grow. */
const SPLIT_SHARE = 0.6;

const FIRST_TERM = -(2 ** 31);

/** The list of a rare term: a few postings in their shortest form. */
export interface ShortList {
  term: number;
  data: Uint8Array;
}

/**
 * The short lists of neighbouring terms, from `firstTerm` to the next block's: of each the distance from the term before,
 * the number of bytes, and these. A row for each of them would take several times as much as its data.
 */
export interface StoredBlock {
  firstTerm: number;
  data: Uint8Array;
}

/** What is to be written for blocks to have changed. */
export interface BlockChanges {
  blocks: StoredBlock[];
  /** The first terms of those to be deleted. */
  deleted: number[];
  /** Lists that have grown too long for a block. */
  grown: ShortList[];
}

/** Tells the lists of a block, in order, until `visit` says false. */
function eachList(
  { firstTerm, data }: StoredBlock,
  visit: (term: number, start: number, end: number) => boolean,
): void {
  let term = firstTerm;
  let at = 0;
  const read = (): number => {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = data[at] ?? 0;
      at += 1;
      // Not by shifts: two terms may be 2^32 apart.
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  };
  while (at < data.length) {
    term += read();
    const length = read();
    if (!visit(term, at, at + length)) return;
    at += length;
  }
}

/** The list of a term that `block` is for; null: there is none. */
export function findInBlock(block: StoredBlock, wanted: number): Uint8Array | null {
  let found: Uint8Array | null = null;
  eachList(block, (term, start, end) => {
    if (term === wanted) found = block.data.subarray(start, end);
    return term < wanted;
  });
  return found;
}

export function listsOfBlock(block: StoredBlock): ShortList[] {
  const lists: ShortList[] = [];
  eachList(block, (term, start, end) => {
    lists.push({ term, data: block.data.subarray(start, end) });
    return true;
  });
  return lists;
}

/** Lists of a block while it is changed. */
interface Draft {
  firstTerm: number;
  lists: ShortList[];
  bytes: number;
  isChanged: boolean;
  /** The first terms of the blocks that it was made of. */
  from: number[];
}

/**
 * Adds postings to blocks, and leaves out those of the items that `isGone`. `blocks` are all that there are from the first
 * to the last of `additions`, both in the order of terms. Small neighbours are joined.
 */
export function changeBlocks(
  blocks: readonly StoredBlock[],
  additions: readonly ShortList[],
  isGone: ((ordinal: number) => boolean) | null = null,
): BlockChanges {
  const first = additions[0]?.term;
  const isBeyond = first !== undefined && first < (blocks[0]?.firstTerm ?? Infinity);
  const known = isBeyond ? [{ firstTerm: FIRST_TERM, data: new Uint8Array() }, ...blocks] : blocks;
  const merger = new Merger(isGone);
  const drafts: Draft[] = [];
  let added = 0;
  known.forEach((block, place) => {
    const from = added;
    const until = known[place + 1]?.firstTerm ?? Infinity;
    while (added < additions.length && (additions[added]?.term ?? 0) < until) added += 1;
    const draft = merger.merge(block, additions.slice(from, added));
    const last = drafts.at(-1);
    if (last && isJoined(last, draft)) join(last, draft);
    else drafts.push(draft);
  });
  const changed = drafts.filter(({ isChanged }) => isChanged);
  const written = changed.flatMap(split);
  const kept = new Set(written.map(({ firstTerm }) => firstTerm));
  const stored = new Set(blocks.map(({ firstTerm }) => firstTerm));
  return {
    blocks: written,
    deleted: changed.flatMap(({ from }) => from.filter((term) => stored.has(term) && !kept.has(term))),
    grown: merger.grown,
  };
}

function isJoined(one: Draft, other: Draft): boolean {
  if (!one.isChanged && !other.isChanged) return false;
  return other.lists.length === 0 || one.bytes + other.bytes <= MAX_BLOCK_BYTES * SPLIT_SHARE;
}

function join(one: Draft, other: Draft): void {
  one.lists.push(...other.lists);
  one.from.push(...other.from);
  one.bytes += other.bytes;
  one.isChanged = true;
}

/** Merges lists that are in the order of their terms. */
class Merger {
  readonly grown: ShortList[] = [];
  private readonly isGone: ((ordinal: number) => boolean) | null;
  private readonly writer = new PostingWriter();

  // Written out: a thread runs this from the sources, where Node takes types away and makes no code of them.
  constructor(isGone: ((ordinal: number) => boolean) | null) {
    this.isGone = isGone;
  }

  merge(block: StoredBlock, additions: readonly ShortList[]): Draft {
    const { firstTerm } = block;
    const draft: Draft = {
      firstTerm,
      lists: [],
      bytes: 0,
      isChanged: additions.length > 0,
      from: [firstTerm],
    };
    let added = 0;
    for (const list of listsOfBlock(block)) {
      for (; (additions[added]?.term ?? Infinity) < list.term; added += 1)
        this.rewrite(draft, additions[added]);
      if (additions[added]?.term === list.term) {
        this.rewrite(draft, list, additions[added]);
        added += 1;
      } else if (this.isGone) this.rewrite(draft, list);
      else keep(draft, list);
    }
    for (; added < additions.length; added += 1) this.rewrite(draft, additions[added]);
    return draft;
  }

  /** What lists of one term have, one after the other. */
  private rewrite(draft: Draft, ...lists: readonly (ShortList | undefined)[]): void {
    const start = this.writer.length;
    let left = 0;
    this.writer.begin({ follows: false });
    const add = (ordinal: number, impact: number): void => {
      if (this.isGone?.(ordinal)) {
        draft.isChanged = true;
        return;
      }
      this.writer.add(ordinal, impact);
      left += 1;
    };
    for (const list of lists) if (list) eachPosting(list.data, add);
    const list = { term: lists[0]?.term ?? 0, data: this.writer.from(start) };
    if (list.data.length > MAX_SHORT_BYTES) this.grown.push(list);
    else if (left > 0) keep(draft, list);
  }
}

function keep(draft: Draft, list: ShortList): void {
  draft.lists.push(list);
  draft.bytes += list.data.length + HEADER_BYTES;
}

/** Of a list, about. */
const HEADER_BYTES = 4;

/** Blocks of about the same size; none: nothing is left. */
function split({ firstTerm, lists, bytes }: Draft): StoredBlock[] {
  if (lists.length === 0) return [];
  const isWhole = bytes <= MAX_BLOCK_BYTES;
  const most = isWhole ? bytes : bytes / Math.ceil(bytes / (MAX_BLOCK_BYTES * SPLIT_SHARE));
  const blocks: StoredBlock[] = [];
  let [from, sum] = [0, 0];
  lists.forEach(({ data }, place) => {
    sum += data.length + HEADER_BYTES;
    if (sum < most && place < lists.length - 1) return;
    const own = lists.slice(from, place + 1);
    blocks.push(blockOf(from === 0 ? firstTerm : (own[0]?.term ?? 0), own));
    [from, sum] = [place + 1, 0];
  });
  return blocks;
}

function blockOf(firstTerm: number, lists: readonly ShortList[]): StoredBlock {
  let before = firstTerm;
  const pieces = lists.flatMap(({ term, data }) => {
    const header = [...varint(term - before), ...varint(data.length)];
    before = term;
    return [Uint8Array.from(header), data];
  });
  return { firstTerm, data: Buffer.concat(pieces) };
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80);
  return [...bytes, left];
}

/** The first ordinal of a list; 0: it is empty. */
export function firstOrdinalOf(data: Uint8Array): number {
  let first = 0;
  eachPosting(data, (ordinal) => (first ||= ordinal));
  return first;
}
