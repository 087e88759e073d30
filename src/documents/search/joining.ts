import type { PageBreak } from '@palabre/passages';

import type { ReadPassage } from './found-passage.repository.js';
import type { RelevantHit } from './relevance.js';

/** More joined passages would be a chapter, which is too long to cite. */
const MAX_JOINED = 3;

/** A neighbour with a smaller share of the score only adds length. */
const NEARLY = 0.3;

export interface RankedPassage extends ReadPassage, Omit<RelevantHit, 'id'> {}

/** Consecutive passages of a document. */
export interface JoinedPassage {
  best: RankedPassage;
  /** Their text in the order of the document, without overlaps. */
  text: string;
  /** The starts of pages in the text. */
  pageBreaks: PageBreak[];
}

/** Joins consecutive passages, best first, so that readers see no seams and a short list has more. */
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

/** The better one of the passages before and after the group. */
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
 * Parts of one paragraph belong together. So do passages below the same headings of a page if both are relevant;
 * otherwise each is cited alone.
 */
function belongs(one: RankedPassage, next: RankedPassage): boolean {
  if (next.startOffset < one.endOffset) return true;
  const [less, more] = [one.relevance, next.relevance].toSorted((a, b) => a - b) as [number, number];
  return one.page === next.page && isSame(one.headings, next.headings) && less >= NEARLY * more;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((heading, index) => heading === other[index]);
}

/** Whether only a line break or a blank separates it from the text before. */
function isCut({ text, startOffset, endOffset }: Piece, shared: number): boolean {
  return shared >= -1 && text.length === endOffset - startOffset;
}

/** A piece of a document, with its position. */
type Piece = Pick<RankedPassage, 'text' | 'startOffset' | 'endOffset' | 'page' | 'pageBreaks'>;

/** The text of consecutive passages in the order of the document, without overlaps. */
export function joinedText(group: readonly Piece[]): string {
  return textOf(group).text;
}

function textOf(group: readonly Piece[]): Pick<JoinedPassage, 'text' | 'pageBreaks'> {
  let text = '';
  let end = 0;
  const pageBreaks: PageBreak[] = [];
  for (const [index, passage] of group.entries()) {
    // A repeated beginning, such as a table's head, has no position in the document, so it stays.
    const shared = index === 0 ? 0 : Math.max(0, end - passage.startOffset);
    if (index > 0 && shared === 0) text += isCut(passage, end - passage.startOffset) ? '\n' : '\n\n';
    pageBreaks.push(...breaksBehind(passage, shared, text.length));
    text += passage.text.slice(shared);
    end = passage.endOffset;
  }
  const isNew = ({ page }: PageBreak, at: number): boolean => page !== pageBreaks[at - 1]?.page;
  return { text, pageBreaks: pageBreaks.filter((each, at) => at === 0 || isNew(each, at)) };
}

/** The page starts of a passage without its first `shared` units. `at`: where it begins in the joined text. */
function breaksBehind({ page, pageBreaks }: Piece, shared: number, at: number): PageBreak[] {
  const later = pageBreaks.filter(({ offset }) => offset > shared);
  const first = pageBreaks.findLast(({ offset }) => offset <= shared)?.page ?? page;
  return [
    { offset: at, page: first },
    ...later.map((each) => ({ offset: at + each.offset - shared, page: each.page })),
  ];
}
