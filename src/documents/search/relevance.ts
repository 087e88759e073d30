import type { SearchHit } from '../search-index/search.js';

/** Hits with a smaller share of the query's subject are irrelevant. */
const LEAST_SHARE = 0.03;

export interface RelevantHit {
  id: string;
  relevance: number;
  /** Whether its meaning is similar to the query, whatever its words. */
  isAlike: boolean;
}

/**
 * Relevant hits in order. By words, the relevance is the share of the query's subject (`asked`) that a passage has,
 * about 1 if it has each word once. Question words do not count, because documents lack them. By meaning, it is the
 * similarity; too small ones were not found.
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
 * The hits by words, if each has little of the query's subject, as with words that occur in all documents. Their
 * texts must decide on relevance.
 */
export function faintOf(hits: readonly SearchHit[]): RelevantHit[] {
  return hits.flatMap(({ id, lexicalScore }) =>
    lexicalScore > 0 ? [{ id, relevance: LEAST_SHARE, isAlike: false }] : [],
  );
}
