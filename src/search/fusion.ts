import type { SearchHit } from './search.js';

/** What the lexical leg found. */
export type LexicalHit = Pick<SearchHit, 'id' | 'lexicalScore'>;

/** What the semantic leg found. */
export type SemanticHit = { id: string; similarity: number };

/**
 * How slowly ranks lose weight. With 60, the usual one, whatever both legs have about thirtieth comes before what one
 * of them has first: a question in another language is found by one leg alone.
 */
const FLATNESS = 20;

interface Found {
  hit: SearchHit;
  /** From 1; infinite: not found by this leg. */
  lexicalRank: number;
  semanticRank: number;
}

/**
 * One list of both legs, each given best first and without a thing twice, by reciprocal ranks (Cormack et al. 2009,
 * https://doi.org/10.1145/1571941.1572114). The lexical leg's best stay, up to half of `limit`: whoever asks with the
 * words of a text finds it, whatever a model makes of them.
 */
export const fuse = (
  lexical: readonly LexicalHit[],
  semantic: readonly SemanticHit[],
  limit: number,
): SearchHit[] => {
  const legs = Math.max(1, Number(lexical.length > 0) + Number(semantic.length > 0));
  const found = rankedOf(lexical, semantic).map((each) => withScore(each, legs));
  const isSure = ({ lexicalRank }: Found): boolean => lexicalRank <= Math.floor(limit / 2);
  const sure = found.filter(isSure);
  const others = found.filter((each) => !isSure(each)).toSorted(bestFirst);
  return [...sure, ...others.slice(0, Math.max(0, limit - sure.length))]
    .toSorted(bestFirst)
    .map(({ hit }) => hit);
};

const rankedOf = (lexical: readonly LexicalHit[], semantic: readonly SemanticHit[]): Found[] => {
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
};

/** 1 is the first of every leg that found anything. */
const withScore = ({ hit, lexicalRank, semanticRank }: Found, legs: number): Found => ({
  hit: { ...hit, score: (weightOf(lexicalRank) + weightOf(semanticRank)) / legs },
  lexicalRank,
  semanticRank,
});

const weightOf = (rank: number): number => (FLATNESS + 1) / (FLATNESS + rank);

const bestFirst = (a: Found, b: Found): number =>
  b.hit.score - a.hit.score || compare(a.lexicalRank, b.lexicalRank) || (a.hit.id < b.hit.id ? -1 : 1);

/** Infinity less infinity is no number. */
const compare = (a: number, b: number): number => (a === b ? 0 : a - b);
