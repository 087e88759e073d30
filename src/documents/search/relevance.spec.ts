import type { SearchHit } from '../search-index/search.js';
import { relevantOf } from './relevance.js';

function hit(id: string, lexicalScore: number, similarity: number | null = null): SearchHit {
  return {
    id,
    lexicalScore,
    similarity,
    score: 1,
  };
}
it('tells how much of what was asked for is met, by words or by meaning', () => {
  const hits = [
    hit('all', 12),
    hit('half', 5),
    hit('alike', 0, 0.7),
    hit('both', 2, 0.6),
    hit('chance', 0.2),
  ];
  expect(relevantOf(hits, 10)).toEqual([
    { id: 'all', relevance: 1, isAlike: false },
    { id: 'half', relevance: 0.5, isAlike: false },
    { id: 'alike', relevance: 0.7, isAlike: true },
    { id: 'both', relevance: 0.6, isAlike: true },
  ]);
});

it('tells nothing where nothing was asked for', () => {
  expect(relevantOf([hit('one', 0)], 0)).toEqual([]);
});
