import { fill, wordingIn } from '../../../common/wording/wording.js';
import { roughTokens } from '../scripted-turn.double.js';
import { cutResult } from '../skills/result-cut.js';
import { resultOf, type Source, Sources, sourcesIn } from './sources.js';

function source(documentName: string, text: string, page: number | null = 1): Source {
  return {
    documentId: `id of ${documentName}`,
    documentName,
    page,
    section: '',
    text,
    score: 0.5,
  };
}
const report = source('Report', 'Direct emissions are 412 tonnes. Power adds 95 tonnes.');
const policy = source('Policy', 'Trains come first. Flights need a reason.', null);

function found(...lists: Source[][]): Sources {
  const sources = new Sources();
  for (const list of lists) sources.number(list);
  return sources;
}

describe('Sources', () => {
  it('numbers on, and keeps the number of what was found before', () => {
    const sources = new Sources();
    const other = { ...report, page: 2 };
    expect(sources.number([report, policy]).map(({ marker }) => marker)).toEqual([1, 2]);
    expect(sources.number([policy, other, report]).map(({ marker }) => marker)).toEqual([2, 3, 1]);
    expect([0, 1, 3, 4].map((marker) => sources.isKnown(marker))).toEqual([false, true, true, false]);
  });

  it('quotes from a table what its cells say, of the page that they stand on', () => {
    const table = {
      ...source('Figures', '| Site | Water (m3) |\n| --- | --- |\n| Thiès | 8 412 |\n| Kaolack | 118 050 |'),
      pageBreaks: [
        { offset: 0, page: 3 },
        { offset: 50, page: 4 },
      ],
    };
    expect(found([table]).citedIn('Kaolack used 118,050 m3 of water [1].')).toMatchObject([
      { quote: 'Kaolack · 118 050', page: 4 },
    ]);
    expect(found([table]).citedIn('The sites used water [1].')[0]?.quote).not.toContain('|');
  });

  it('tells of each once', () => {
    const sources = new Sources();
    const first = sources.number([report]);
    expect(sources.takeUntold(first, '')).toEqual([
      {
        marker: 1,
        documentId: 'id of Report',
        documentName: 'Report',
        page: 1,
        quote: 'Direct emissions are 412 tonnes. Power adds 95 tonnes.',
        score: 0.5,
      },
    ]);
    const second = sources.number([report, policy]);
    expect(sources.takeUntold(first, '')).toEqual([]);
    expect(sources.takeUntold(second, '').map(({ marker }) => marker)).toEqual([2]);
    expect(sources.takeUntold(second, '')).toEqual([]);
  });

  it('tells of each what fits the query', () => {
    const sources = new Sources();
    const told = sources.takeUntold(sources.number([report]), 'how much for power?');
    expect(told).toMatchObject([{ quote: 'Power adds 95 tonnes.' }]);
  });

  it('looks at the first claims alone where an answer repeats a marker without end', () => {
    // Each one looked at, this would take minutes.
    const repeated = `${'[1]'.repeat(300_000)}${'[7]'.repeat(300_000)}`;
    const cited = found([report]).citedIn(`Power adds 95 tonnes [1]. ${repeated}`);
    expect(cited).toMatchObject([{ marker: 1, quote: 'Power adds 95 tonnes.' }]);
  });

  it('gives the sources that are cited, in their order, with the words that were meant', () => {
    const sources = found([report, policy, source('Unused', 'Nothing.')]);
    const answer = 'A reason is needed for flights [2]. We emit 412 tonnes directly.[1][2] So [9].';
    expect(sources.citedIn(answer)).toEqual([
      expect.objectContaining({ marker: 1, quote: 'Direct emissions are 412 tonnes.' }),
      expect.objectContaining({ marker: 2, page: null, quote: 'Flights need a reason.' }),
    ]);
    expect(sources.citedIn('Nothing is cited.')).toEqual([]);
  });

  it('takes a claim to be the sentence that the marker ends, not all before it', () => {
    const sources = found([report]);
    const quoted = (answer: string): string | undefined => sources.citedIn(answer)[0]?.quote;
    expect(quoted('Direct emissions are 412 tonnes. Power adds 95 tonnes [1]')).toBe('Power adds 95 tonnes.');
    expect(quoted('Power adds 95 tonnes.[1] Direct emissions are 412 tonnes.')).toBe('Power adds 95 tonnes.');
  });

  it('cites the page that the words stand on, where a passage runs over several', () => {
    const text = 'Direct emissions are 412 tonnes.\n\nPower adds 95 tonnes.';
    const pageBreaks = [{ offset: text.indexOf('Power'), page: 2 }];
    const sources = found([{ ...source('Report', text), pageBreaks }]);
    const pageOf = (answer: string): number | null | undefined => sources.citedIn(answer)[0]?.page;
    expect(pageOf('Direct emissions are 412 tonnes [1].')).toBe(1);
    expect(pageOf('Power adds 95 tonnes [1].')).toBe(2);
    const restored = new Sources();
    restored.restore(sourcesIn(resultOf(new Sources().number([{ ...source('Report', text), pageBreaks }]))));
    expect(restored.citedIn('Power adds 95 tonnes [1].')[0]?.page).toBe(2);
  });

  it('takes a claim to be the line that the marker opens', () => {
    const quotes = (answer: string): string[] =>
      found([report, policy])
        .citedIn(answer)
        .map(({ quote }) => quote);
    expect(quotes('[2] Trains come first.\n- [1] Power adds 95 tonnes.\n[2]')).toEqual([
      'Power adds 95 tonnes.',
      'Trains come first.',
    ]);
    expect(quotes('Power adds 95 tonnes\n[1]. Direct emissions are 412 tonnes.')).toEqual([
      'Power adds 95 tonnes.',
    ]);
    expect(quotes('Flights need a reason [2].\n\nSources:\n[1] Report\n[2] Policy').at(-1)).toBe(
      'Flights need a reason.',
    );
  });

  it('are found again in the result that the model was given', () => {
    const numbered = new Sources().number([report, policy]);
    expect(sourcesIn(resultOf(numbered))).toEqual(numbered);
    const restored = new Sources();
    restored.restore(sourcesIn(resultOf(numbered)));
    expect(restored.takeUntold(numbered, '')).toEqual([]);
    expect(restored.number([policy, source('New', 'New.')]).map(({ marker }) => marker)).toEqual([2, 3]);
  });

  it('are found again as far as the result was not cut', () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      source(`D${index}`, `Passage ${index}. `.repeat(10)),
    );
    const numbered = new Sources().number(many);
    const cut = cutResult(resultOf(numbered), 1000, roughTokens, 'en');
    expect(cut).toContain(fill(wordingIn('en').plan.elementsLeftOut, { left: 0, all: 30 }).slice(-20));
    const restored = sourcesIn(cut);
    expect(restored.length).toBeGreaterThan(3);
    expect(restored).toEqual(numbered.slice(0, restored.length));
  });

  it.each(['', 'no JSON', '[]', '{"passages":3}', '{"passages":[{"marker":0}]}', '{"error":"failed"}'])(
    'are none in %j',
    (result) => {
      expect(sourcesIn(result)).toEqual([]);
    },
  );
});
