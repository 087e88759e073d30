import type { SearchHit } from '../search-index/search.js';

/** Of what a query asks about, what has less has nothing to do with it. */
const LEAST_SHARE = 0.03;

/** A hit, and how much it bears on the query, 0 to 1. */
export interface RelevantHit {
  id: string;
  relevance: number;
  /** Whether it is near to the query by meaning, whatever its words are. */
  isAlike: boolean;
}

/**
 * The hits that may have to do with the query, in their order. By words, relevance is the share of the weight of what it
 * asks about, `asked`, that a passage meets: about 1 when it has each word once. What is in every question may be in no
 * document, and would make all of them look poor. By meaning it is the similarity: what is not near enough was not found.
 */
export function relevantOf(hits: readonly SearchHit[], asked: number): RelevantHit[] {
  return hits.flatMap(({ id, lexicalScore, similarity }) => {
    const share = asked === 0 ? 0 : lexicalScore / asked;
    const isAlike = similarity !== null;
    if (share < LEAST_SHARE && !isAlike) return [];
    return [{ id, relevance: Math.min(1, Math.max(share, similarity ?? 0)), isAlike }];
  });
}

/**
 * The hits by words, where each has little of the weight of what is asked about: as what is in all documents of a company
 * weighs next to nothing there. Their texts have to tell whether they have to do with the query.
 */
export function faintOf(hits: readonly SearchHit[]): RelevantHit[] {
  return hits.flatMap(({ id, lexicalScore }) =>
    lexicalScore > 0 ? [{ id, relevance: LEAST_SHARE, isAlike: false }] : [],
  );
}
