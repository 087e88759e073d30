import { eachPackedList, packLists, type TermList, type VisitList } from './packed-lists.js';
import { eachPosting, PostingWriter } from './postings.js';

/** A list that grows beyond this, before packing, moves from its block to its own row. */
export const MAX_SHORT_BYTES = 400;

/** Lists with their own row that are not longer than this after a compaction move into a block. */
export const LEAST_OWN_BYTES = MAX_SHORT_BYTES / 2;

/** A block that grows beyond this, before packing, is split. A search reads a block for each of its terms. */
const MAX_BLOCK_BYTES = 1700;

/** How full the parts of a split block are. They need room to grow. */
const SPLIT_SHARE = 0.6;

const FIRST_TERM = -(2 ** 31);

/**
 * The packed short lists of neighbouring terms, from `firstTerm` to the next block. A row for each list would take
 * several times the space of its data.
 */
export interface StoredBlock {
  firstTerm: number;
  data: Uint8Array;
}

/** Rows to write after blocks have changed. */
export interface BlockChanges {
  blocks: StoredBlock[];
  /** First terms of deleted blocks. */
  deleted: number[];
  /** Lists that are now too long for a block. */
  grown: TermList[];
}

/** The first bytes of a packed block. No number in an unpacked one begins like this. */
const PACKED = Uint8Array.of(0x80, 0);

/** Visits the lists of a block in order, until `visit` returns false. `read` may only be called during the visit. */
function eachList({ firstTerm, data }: StoredBlock, visit: VisitList): void {
  const isPacked = PACKED.every((byte, at) => data[at] === byte);
  if (isPacked) eachPackedList(firstTerm, data.subarray(PACKED.length), visit);
  else eachUnpackedList(firstTerm, data, visit);
}

/** The original format: for each list the distance from the previous term, its length in bytes, and its bytes. */
function eachUnpackedList(firstTerm: number, data: Uint8Array, visit: VisitList): void {
  let term = firstTerm;
  let at = 0;
  const number = (): number => {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = data[at] ?? 0;
      at += 1;
      // Multiplied, not shifted: two terms may be 2^32 apart.
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  };
  while (at < data.length) {
    term += number();
    const length = number();
    const start = at;
    if (!visit(term, () => data.subarray(start, start + length))) return;
    at += length;
  }
}

/** The list of a term in its block. Null: none. */
export function findInBlock(block: StoredBlock, wanted: number): Uint8Array | null {
  let found: Uint8Array | null = null;
  eachList(block, (term, read) => {
    if (term === wanted) found = read();
    return term < wanted;
  });
  return found;
}

export function listsOfBlock(block: StoredBlock): TermList[] {
  const lists: TermList[] = [];
  eachList(block, (term, read) => {
    lists.push({ term, data: read() });
    return true;
  });
  return lists;
}

/** A block's lists while they are changed. */
interface Draft {
  firstTerm: number;
  lists: TermList[];
  bytes: number;
  isChanged: boolean;
  /** First terms of the source blocks. */
  from: number[];
}

/**
 * Adds postings to blocks, and removes those of items that are gone (`isGone`). `blocks` must be all blocks between
 * the first and the last of `additions`. Both are in the order of terms. Small neighbours are joined.
 */
export function changeBlocks(
  blocks: readonly StoredBlock[],
  additions: readonly TermList[],
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

/** Merges sorted lists. */
class Merger {
  readonly grown: TermList[] = [];
  private readonly isGone: ((ordinal: number) => boolean) | null;
  private readonly writer = new PostingWriter();

  // No parameter properties: a thread runs this source, and Node only strips types.
  constructor(isGone: ((ordinal: number) => boolean) | null) {
    this.isGone = isGone;
  }

  merge(block: StoredBlock, additions: readonly TermList[]): Draft {
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

  /** Rewrites the lists of one term as one list. */
  private rewrite(draft: Draft, ...lists: readonly (TermList | undefined)[]): void {
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

function keep(draft: Draft, list: TermList): void {
  draft.lists.push(list);
  draft.bytes += list.data.length + HEADER_BYTES;
}

/** About the size of a list's head. */
const HEADER_BYTES = 4;

/** Blocks of about the same size. Empty: nothing is left. */
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

function blockOf(firstTerm: number, lists: readonly TermList[]): StoredBlock {
  return { firstTerm, data: Buffer.concat([PACKED, packLists(firstTerm, lists)]) };
}

/** The first ordinal of a list. 0: empty. */
export function firstOrdinalOf(data: Uint8Array): number {
  let first = 0;
  eachPosting(data, (ordinal) => (first ||= ordinal));
  return first;
}
