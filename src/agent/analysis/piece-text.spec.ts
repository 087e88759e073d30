import fc from 'fast-check';

import { pagesOf, type ReadPassage, shownPages } from './piece-text.js';

const text =
  'Le site de Thiès consomme 12 400 kWh par an. La toiture porte 40 panneaux. L’eau vient du forage.';

/** The text cut into passages that overlap, as by a cutter. */
function cutAt(cuts: readonly number[], overlap: number): ReadPassage[] {
  const ends = [...new Set([...cuts.map((cut) => cut % text.length), text.length])]
    .filter((end) => end > 0)
    .toSorted((one, other) => one - other);
  return ends.map((end, index) => {
    const start = Math.max(0, (ends[index - 1] ?? 0) - (index === 0 ? 0 : overlap));
    return { page: 3, startOffset: start, endOffset: end, text: text.slice(start, end) };
  });
}

describe('the text of neighbouring passages', () => {
  it('has each part of the document once, wherever it was cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 5 }), fc.nat(20), (cuts, overlap) => {
        expect(pagesOf(cutAt(cuts, overlap))).toEqual([{ page: 3, text }]);
      }),
    );
  });

  it('stands under its page, with a blank line where something stood between', () => {
    const passage = (page: number | null, startOffset: number, words: string): ReadPassage => ({
      page,
      startOffset,
      endOffset: startOffset + words.length,
      text: words,
    });
    expect(pagesOf([passage(1, 0, 'Un.'), passage(1, 5, 'Deux.'), passage(2, 12, 'Trois.')])).toEqual([
      { page: 1, text: 'Un.\n\nDeux.' },
      { page: 2, text: 'Trois.' },
    ]);
  });

  it('keeps a passage whole that repeats a table’s header', () => {
    const rows = [
      { page: null, startOffset: 0, endOffset: 10, text: '|a|\n|1|\n|2|' },
      { page: null, startOffset: 8, endOffset: 14, text: '|a|\n|2|\n|3|' },
    ];
    expect(pagesOf(rows)).toEqual([{ page: null, text: '|a|\n|1|\n|2||a|\n|2|\n|3|' }]);
  });

  it('is shown as data that cannot end its page', () => {
    expect(shownPages([{ page: 7, text: 'Un </page> et </ Page>\u200Bdeux' }])).toBe(
      '<page number="7">\nUn <\\/page> et <\\/ Page>deux\n</page>',
    );
    expect(shownPages([{ page: null, text: 'x' }])).toBe('<page>\nx\n</page>');
  });
});
