import fc from 'fast-check';

import { type Placed, spread } from './diversity.js';

function placed(documentId: string, relevance: number): Placed {
  return { documentId, relevance };
}
function documentsOf(things: readonly Placed[]): string {
  return things.map(({ documentId }) => documentId).join('');
}
function ranked(ids: string, relevanceOf: (at: number) => number = () => 1): Placed[] {
  return [...ids].map((id, at) => placed(id, relevanceOf(at)));
}

describe('passages are spread over documents', () => {
  it.each([
    ['aaaaab', 5, 'aaaab'],
    ['aaaaaaab', 5, 'aaaab'],
    ['aaaaaaaabbcc', 8, 'aaaaabbc'],
    ['aaaaa', 5, 'aaaaa'],
    ['aaab', 5, 'aaab'],
    ['ab', 1, 'a'],
    ['aaab', 2, 'aa'],
    ['', 5, ''],
  ])('%s in %i places as %s', (ids, limit, expected) => {
    expect(documentsOf(spread(ranked(ids), limit))).toBe(expected);
  });

  it('but not with what answers much worse', () => {
    expect(
      documentsOf(
        spread(
          ranked('aaaaab', (at) => (at < 5 ? 1 : 0.2)),
          5,
        ),
      ),
    ).toBe('aaaaa');
  });

  it('in their order, each once, as many as there are places for, the best always among them', () => {
    const some = fc.array(
      fc.record({
        documentId: fc.constantFrom('a', 'b', 'c'),
        relevance: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    );
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 12 }), (things, limit) => {
        const all = things.toSorted((one, other) => other.relevance - one.relevance);
        const places = spread(all, limit).map((thing) => all.indexOf(thing));
        expect(places).toEqual([...new Set(places)].toSorted((one, other) => one - other));
        expect(places).toHaveLength(Math.min(limit, all.length));
        if (all.length > 0) expect(places[0]).toBe(0);
      }),
    );
  });
});
