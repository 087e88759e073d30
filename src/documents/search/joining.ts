import type { PageBreak } from '@palabre/passages';

import type { ReadPassage } from './found-passage.repository.js';
import type { RelevantHit } from './relevance.js';

/** More than these in one would be a chapter, and no place that can be cited. */
const MAX_JOINED = 3;

/** What answers so much worse than its neighbour makes it longer, and no better. */
const NEARLY = 0.3;

/** Something found, as it is ranked. */
export interface RankedPassage extends ReadPassage, Omit<RelevantHit, 'id'> {}

/** Passages of one document that follow each other. */
export interface JoinedPassage {
  /** The one that answers best. */
  best: RankedPassage;
  /** Of all of them, in the order of the document, without what they have in common. */
  text: string;
  /** Where in it which page begins, from its beginning on. */
  pageBreaks: PageBreak[];
}

/**
 * Puts together what follows each other, given and listed best first: readers are spared the seam, and a list of few
 * holds more.
 */
export function joinNeighbours(ranked: readonly RankedPassage[]): JoinedPassage[] {
  const byPlace = new Map(ranked.map((passage) => [placeOf(passage, 0), passage]));
  const joined: JoinedPassage[] = [];
  for (const best of ranked) {
    if (!byPlace.delete(placeOf(best, 0))) continue;
    const group = [best];
    while (group.length < MAX_JOINED) {
      const next = nearest(group, byPlace);
      if (!next) break;
      byPlace.delete(placeOf(next, 0));
      if (next.ordinal < (group[0] ?? best).ordinal) group.unshift(next);
      else group.push(next);
    }
    joined.push({ best, ...textOf(group) });
  }
  return joined;
}

function placeOf({ contentId, ordinal }: RankedPassage, offset: number): string {
  return `${contentId} ${ordinal + offset}`;
}

/** The better one of those before and after the group. */
function nearest(
  group: readonly RankedPassage[],
  byPlace: ReadonlyMap<string, RankedPassage>,
): RankedPassage | null {
  const [first, last] = [group[0], group.at(-1)];
  const before = first && byPlace.get(placeOf(first, -1));
  const after = last && byPlace.get(placeOf(last, 1));
  const neighbours = [
    before && first && belongs(before, first) ? before : null,
    after && last && belongs(last, after) ? after : null,
  ].filter((each) => each !== null);
  return neighbours.toSorted((one, other) => other.relevance - one.relevance)[0] ?? null;
}

/**
 * Two parts of one paragraph belong together, and so does what stands below the same headings on the same page, if both
 * answer: a place of its own is cited by itself.
 */
function belongs(one: RankedPassage, next: RankedPassage): boolean {
  if (next.startOffset < one.endOffset) return true;
  const [less, more] = [one.relevance, next.relevance].toSorted((a, b) => a - b) as [number, number];
  return one.page === next.page && isSame(one.headings, next.headings) && less >= NEARLY * more;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((heading, index) => heading === other[index]);
}

/** Whether nothing but a line break or a blank lies between it and what is before it. */
function isCut({ text, startOffset, endOffset }: Piece, shared: number): boolean {
  return shared >= -1 && text.length === endOffset - startOffset;
}

/** A piece of a document, with its place in it. */
type Piece = Pick<RankedPassage, 'text' | 'startOffset' | 'endOffset' | 'page' | 'pageBreaks'>;

/** The text of passages that follow each other, in the order of the document, without what they have in common. */
export function joinedText(group: readonly Piece[]): string {
  return textOf(group).text;
}

function textOf(group: readonly Piece[]): Pick<JoinedPassage, 'text' | 'pageBreaks'> {
  let text = '';
  let end = 0;
  const pageBreaks: PageBreak[] = [];
  for (const [index, passage] of group.entries()) {
    // What is repeated at the beginning, as the head of a table, has no place in the document: it stays.
    const shared = index === 0 ? 0 : Math.max(0, end - passage.startOffset);
    if (index > 0 && shared === 0) text += isCut(passage, end - passage.startOffset) ? '\n' : '\n\n';
    pageBreaks.push(...breaksBehind(passage, shared, text.length));
    text += passage.text.slice(shared);
    end = passage.endOffset;
  }
  const isNew = ({ page }: PageBreak, at: number): boolean => page !== pageBreaks[at - 1]?.page;
  return { text, pageBreaks: pageBreaks.filter((each, at) => at === 0 || isNew(each, at)) };
}

/** The pages of a passage without its first `shared` units, where it begins at `at` of a text. */
function breaksBehind({ page, pageBreaks }: Piece, shared: number, at: number): PageBreak[] {
  const later = pageBreaks.filter(({ offset }) => offset > shared);
  const first = pageBreaks.findLast(({ offset }) => offset <= shared)?.page ?? page;
  return [
    { offset: at, page: first },
    ...later.map((each) => ({ offset: at + each.offset - shared, page: each.page })),
  ];
}
