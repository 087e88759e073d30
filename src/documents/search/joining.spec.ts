import { joinNeighbours, type RankedPassage } from './joining.js';

const TEXT = 'One is here. Two is here. Three is here. Four is here.';

function passage(
  ordinal: number,
  start: number,
  end: number,
  more: Partial<RankedPassage> = {},
): RankedPassage {
  return {
    id: `p${ordinal}`,
    contentId: 'content',
    ordinal,
    page: 1,
    pageBreaks: [],
    headings: [],
    startOffset: start,
    endOffset: end,
    tokens: 4,
    language: 'en',
    text: TEXT.slice(start, end),
    documentId: 'document',
    documentName: 'document.md',
    relevance: 0.5,
    isAlike: false,
    ...more,
  };
}
function textsOf(ranked: readonly RankedPassage[]): string[] {
  return joinNeighbours(ranked).map(({ text }) => text);
}

describe('passages that follow each other', () => {
  const [one, two, three, four] = [
    passage(0, 0, 25),
    passage(1, 13, 40, { relevance: 0.9 }),
    passage(2, 26, 54),
    passage(3, 41, 54),
  ] as const;

  it('are one, without what they have in common, at the place of the best of them', () => {
    const [joined, ...others] = joinNeighbours([two, three, one]);
    expect(joined).toEqual({ best: two, text: TEXT, pageBreaks: [{ offset: 0, page: 1 }] });
    expect(others).toEqual([]);
  });

  it('are three at most', () => {
    expect(textsOf([two, three, one, four])).toEqual([TEXT, 'Four is here.']);
  });

  it('are told apart by their pages, headings and how well they answer, unless a paragraph runs on', () => {
    const first = passage(0, 0, 12);
    const next = (more: Partial<RankedPassage>, start = 13): string[] =>
      textsOf([first, passage(1, start, 25, more)]);
    expect(next({})).toEqual(['One is here.\nTwo is here.']);
    expect(next({ page: 2 })).toHaveLength(2);
    expect(next({ headings: ['Two'] })).toHaveLength(2);
    expect(next({ relevance: 0.1 })).toHaveLength(2);
    expect(next({ ordinal: 2 })).toHaveLength(2);
    expect(next({ contentId: 'another' })).toHaveLength(2);
    expect(next({ page: 2, relevance: 0.1 }, 9)).toEqual(['One is here. Two is here.']);
  });

  it('tell where their pages begin', () => {
    const first = passage(0, 0, 30, { pageBreaks: [{ offset: 13, page: 2 }] });
    const next = passage(1, 26, 54, { page: 2, pageBreaks: [{ offset: 15, page: 3 }] });
    const [joined] = joinNeighbours([next, first]);
    expect(joined).toMatchObject({ best: next, text: TEXT });
    expect(joined?.pageBreaks.map(({ offset, page }) => [page, TEXT.slice(offset)])).toEqual([
      [1, TEXT],
      [2, 'Two is here. Three is here. Four is here.'],
      [3, 'Four is here.'],
    ]);
  });

  it('keep the head of a table that was repeated', () => {
    const row = passage(1, 13, 25, { text: '| a |\n| --- |\nTwo is here.' });
    expect(textsOf([passage(0, 0, 12), row])).toEqual(['One is here.\n\n| a |\n| --- |\nTwo is here.']);
  });
});
