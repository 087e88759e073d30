import type { SearchHit } from './search.js';

export type LexicalHit = Pick<SearchHit, 'id' | 'lexicalScore'>;

export type SemanticHit = { id: string; similarity: number };

/**
 * The constant of reciprocal rank fusion. With the usual 60, a hit about thirtieth in both legs would precede one that is
 * first in one leg only, which is all that a question in another language gets.
 */
const RANK_CONSTANT = 20;

interface Found {
  hit: SearchHit;
  /** From 1; Infinity: not found by this leg. */
  lexicalRank: number;
  semanticRank: number;
}

/**
 * Merges the hits of both legs (best first, without duplicates) by reciprocal rank fusion (Cormack et al. 2009,
 * https://doi.org/10.1145/1571941.1572114). The best lexical hits, up to half of `limit`, are always kept: a query with
 * the very words of a text finds it, whatever the embedding model makes of them.
 */
export function fuseByRank(
  lexical: readonly LexicalHit[],
  semantic: readonly SemanticHit[],
  limit: number,
): SearchHit[] {
  const legs = Math.max(1, Number(lexical.length > 0) + Number(semantic.length > 0));
  const found = rankedOf(lexical, semantic).map((each) => withScore(each, legs));
  const isSure = ({ lexicalRank }: Found): boolean => lexicalRank <= Math.floor(limit / 2);
  const sure = found.filter(isSure);
  const others = found.filter((each) => !isSure(each)).toSorted(bestFirst);
  return [...sure, ...others.slice(0, Math.max(0, limit - sure.length))]
    .toSorted(bestFirst)
    .map(({ hit }) => hit);
}

function rankedOf(lexical: readonly LexicalHit[], semantic: readonly SemanticHit[]): Found[] {
  const found = new Map<string, Found>();
  lexical.forEach((hit, index) =>
    found.set(hit.id, {
      hit: { ...hit, similarity: null, score: 0 },
      lexicalRank: index + 1,
      semanticRank: Infinity,
    }),
  );
  semantic.forEach(({ id, similarity }, index) => {
    const known = found.get(id);
    found.set(id, {
      hit: { id, lexicalScore: known?.hit.lexicalScore ?? 0, similarity, score: 0 },
      lexicalRank: known?.lexicalRank ?? Infinity,
      semanticRank: index + 1,
    });
  });
  return [...found.values()];
}

/** The score is 1 for a hit that is first in every leg with hits. */
function withScore({ hit, lexicalRank, semanticRank }: Found, legs: number): Found {
  return {
    hit: { ...hit, score: (weightOf(lexicalRank) + weightOf(semanticRank)) / legs },
    lexicalRank,
    semanticRank,
  };
}

function weightOf(rank: number): number {
  return (RANK_CONSTANT + 1) / (RANK_CONSTANT + rank);
}

function bestFirst(a: Found, b: Found): number {
  return b.hit.score - a.hit.score || compare(a.lexicalRank, b.lexicalRank) || (a.hit.id < b.hit.id ? -1 : 1);
}

/** Infinity - Infinity is NaN. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
