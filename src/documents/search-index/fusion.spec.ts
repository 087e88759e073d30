import fc from 'fast-check';

import { fuseByRank, type LexicalHit, type SemanticHit } from './fusion.js';

function lexicalHit(id: string, lexicalScore = 1): LexicalHit {
  return {
    id,
    lexicalScore,
  };
}
function semanticHit(id: string, similarity = 0.5): SemanticHit {
  return {
    id,
    similarity,
  };
}
function idsOf(hits: { id: string }[]): string[] {
  return hits.map(({ id }) => id);
}

const ids = fc.uniqueArray(fc.integer({ min: 0, max: 60 }).map(String), { maxLength: 40 });
const limits = fc.integer({ min: 1, max: 30 });

describe('what both legs found', () => {
  it('is in the order of the lexical leg while there is no other', () => {
    const hits = fuseByRank([lexicalHit('b', 9), lexicalHit('a', 4)], [], 10);
    expect(hits.map(({ id, lexicalScore, similarity }) => [id, lexicalScore, similarity])).toEqual([
      ['b', 9, null],
      ['a', 4, null],
    ]);
    expect(hits[0]!.score).toBe(1);
  });

  it('begins with what both have, and keeps what each says of it', () => {
    const [first] = fuseByRank(
      [lexicalHit('x', 9), lexicalHit('both', 3)],
      [semanticHit('y', 0.8), semanticHit('both', 0.7)],
      10,
    );
    expect(first).toMatchObject({ id: 'both', lexicalScore: 3, similarity: 0.7 });
  });

  it('has the first of either leg before what both have far down', () => {
    const filler = (leg: string): string[] => Array.from({ length: 29 }, (_, index) => `${leg}${index}`);
    const hits = fuseByRank(
      [...filler('l'), 'both'].map((id) => lexicalHit(id)),
      [...filler('s'), 'both'].map((id) => semanticHit(id)),
      10,
    );
    expect(idsOf(hits).slice(0, 2)).toEqual(['l0', 's0']);
  });

  it('has a paraphrase that shares no word, however much the words find', () => {
    const lexical = Array.from({ length: 50 }, (_, index) => lexicalHit(`l${index}`));
    expect(idsOf(fuseByRank(lexical, [semanticHit('paraphrase')], 10)).slice(0, 2)).toContain('paraphrase');
  });

  it('keeps the best half of the lexical leg, gives none twice and no more than asked for', () => {
    fc.assert(
      fc.property(ids, ids, limits, (lexical, semantic, limit) => {
        const hits = fuseByRank(
          lexical.map((id) => lexicalHit(id)),
          semantic.map((id) => semanticHit(id)),
          limit,
        );
        const all = new Set([...lexical, ...semantic]);
        expect(hits).toHaveLength(Math.min(limit, all.size));
        expect(new Set(idsOf(hits)).size).toBe(hits.length);
        expect(idsOf(hits)).toEqual(expect.arrayContaining(lexical.slice(0, Math.floor(limit / 2))));
      }),
    );
  });

  it('is in the order of scores from 0 to 1, and the same every time', () => {
    fc.assert(
      fc.property(ids, ids, limits, (lexical, semantic, limit) => {
        const run = () =>
          fuseByRank(
            lexical.map((id) => lexicalHit(id)),
            semantic.map((id) => semanticHit(id)),
            limit,
          );
        const scores = run().map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
        expect(run()).toEqual(run());
      }),
    );
  });
});
