import fc from 'fast-check';

import type { AnalysisPiece } from '../../documents/analysis/analysis.repository.js';
import { findingsOf, QuoteFinder, shortSummary, shows, verifiedFindings } from './findings.js';

const quotes = new QuoteFinder([
  { page: 1, text: 'Nous avons consommé 12 400 kWh en 2024.' },
  { page: 2, text: 'Les femmes sont 52 % de l’effectif.' },
]);
const lookedFor = { focus: 'esg', indicators: [{ code: 'E01' }, { code: 'S08' }] };

const energy = {
  label: 'Électricité 2024',
  value: '12 400',
  unit: 'kWh',
  page: 1,
  quote: 'Nous avons consommé 12 400 kWh en 2024.',
};
const women = { code: 'S08', page: 2, quote: 'Les femmes sont 52 % de l’effectif.' };

function read(given: object) {
  return verifiedFindings({ summary: 'Bien.', ...given }, quotes, lookedFor);
}

it('what was found in a piece is read as it was stored, with its evidence under any focus or ESG alone', () => {
  const stored = { summary: 'Bien.', figures: [energy] };
  const found = { ...stored, evidence: [women] };
  expect(findingsOf({ findings: found } as unknown as AnalysisPiece)).toEqual(found);
  expect(findingsOf({ findings: { ...stored, esg: [women] } } as unknown as AnalysisPiece)).toEqual(found);
  expect(findingsOf({ findings: stored } as unknown as AnalysisPiece)).toBeNull();
});

describe('what a model finds in a piece of a document', () => {
  it('is taken as far as the text shows it', () => {
    expect(read({ figures: [energy], esg: [women] })).toEqual({
      summary: 'Bien.',
      figures: [energy],
      evidence: [women],
    });
  });

  it.each<[string, object]>([
    ['is on another page', { page: 2 }],
    ['is in no such words', { quote: 'Nous avons consommé 14 200 kWh en 2024.' }],
    ['is another than that of its quote', { value: '14 200' }],
    ['is no figure', { value: 'beaucoup' }],
    ['has no name', { label: ' ' }],
    ['has a quote without end', { quote: 'x'.repeat(500) }],
  ])('leaves out a figure that %s, by itself', (_, wrong) => {
    expect(read({ figures: [{ ...energy, ...wrong }, energy] })?.figures).toEqual([energy]);
  });

  it.each<[string, object]>([
    ['of no indicator of the grid', { code: 'E99' }],
    ['on another page', { page: 1 }],
    ['in no such words', { quote: 'Les femmes sont 25 % de l’effectif.' }],
  ])('leaves out evidence %s', (_, wrong) => {
    expect(read({ esg: [{ ...women, ...wrong }, women] })?.evidence).toEqual([women]);
  });

  it('is shown without the signs of a table', () => {
    const text = '| Indicateur | 2024 |\n| --- | --- |\n| Eau (m3) | 8 412 |';
    const given = { ...energy, value: '8 412', quote: text };
    const found = verifiedFindings(
      { summary: 'Bien.', figures: [given] },
      new QuoteFinder([{ page: 1, text }]),
      lookedFor,
    );
    expect(found?.figures).toMatchObject([{ quote: 'Indicateur · 2024 Eau (m3) · 8 412', page: 1 }]);
  });

  it('is given the page of its quote where none is named, and numbers as text', () => {
    const given = { ...energy, page: null, value: 12_400, unit: null };
    expect(read({ figures: [given] })?.figures).toEqual([{ ...energy, value: '12400', unit: '' }]);
    expect(read({ figures: [{ ...energy, page: '1' }] })?.figures).toEqual([energy]);
  });

  it.each([null, 'Bien.', {}, { summary: ' ' }, { summary: 1 }, { summary: 'Bien.', figures: 'none' }])(
    'is of no use as %j',
    (input) => expect(verifiedFindings(input, quotes, lookedFor)).toBeNull(),
  );

  it('holds nothing that the database could not store', () => {
    const half = '\ud83c';
    const given = {
      summary: `B\0ien${half}.`,
      figures: [
        {
          ...energy,
          label: `Électri\0cité${half}`,
          value: '12\0 400',
          unit: `\0${'k'.repeat(39)}🌱`,
          quote: `${energy.quote}${half}\0`,
        },
      ],
      esg: [{ ...women, quote: `${women.quote}\0${half}` }],
    };
    const found = read(given);
    expect(found).toMatchObject({
      summary: 'Bien\ufffd.',
      figures: [{ label: 'Électricité\ufffd', value: '12 400', unit: `${'k'.repeat(39)}\ufffd` }],
      evidence: [{ code: 'S08' }],
    });
    const stored = JSON.stringify(found);
    expect(stored).not.toContain('\\u0000');
    // JSON escapes only lone surrogates like this.
    expect(stored).not.toMatch(/\\ud[89a-f]/i);
    expect(stored.isWellFormed()).toBe(true);
    expect(shortSummary('🌱'.repeat(1_500)).isWellFormed()).toBe(true);
  });

  it('is summed up within bounds', () => {
    expect(shortSummary(' Un.\n\n\n Deux. ')).toBe('Un.\nDeux.');
    expect(shortSummary('a'.repeat(5_000))).toHaveLength(2_000);
  });
});

describe('quotes', () => {
  const pages = [
    { page: 1, text: '# Énergie\n\nLa consommation s’élève à **12 400 kWh** en 2024.' },
    { page: 2, text: 'L’effectif compte 52 % de femmes. La consom-\nmation d’eau est suivie.' },
    { page: 4, text: 'La consommation s’élève à 12 400 kWh en 2024.' },
  ];
  const finder = new QuoteFinder(pages);

  describe('a quote', () => {
    it.each<[string, number | null, number]>([
      ['La consommation s’élève à 12 400 kWh en 2024.', 1, 1],
      ["la consommation s'élève à 12\u00a0400 kWh", 4, 4],
      ['La consommation s’élève à 12 400 kWh', null, 1],
      ['**52 %** de FEMMES', 2, 2],
      ['La consommation d’eau est suivie', 2, 2],
      ['en 2024.\nL’effectif compte', 2, 2],
      ['en 2024. L’effectif compte', 1, 1],
    ])('stands on its page: %j on %s', (quote, named, page) => {
      expect(finder.find(quote, named)).toEqual({ page });
    });

    it.each<[string, number | null]>([
      ['La consommation s’élève à 12 400 kWh', 2],
      ['La consommation s’élève à 12 500 kWh', 1],
      ['La consommation s’élève à 1 240 kWh', null],
      ['52 % d’hommes', 2],
      ['en', 1],
      ['… — !', null],
    ])('does not stand there: %j on %s', (quote, named) => {
      expect(finder.find(quote, named)).toBeNull();
    });

    it('of a document without pages stands on none, whatever is named', () => {
      const text = new QuoteFinder([{ page: null, text: '能源消耗為 12,400 度電，較前一年減少 5%。' }]);
      expect(text.find('能源消耗為 12,400 度電', 3)).toEqual({ page: null });
      expect(text.find('能源消耗為12,400度電', null)).toEqual({ page: null });
    });

    it('is found on its page when it is a part of that page’s text', () => {
      fc.assert(
        fc.property(
          fc.integer({ min: 0, max: 2 }),
          fc.nat(),
          fc.integer({ min: 12, max: 40 }),
          (at, from, length) => {
            const { page, text } = pages[at]!;
            const start = from % (text.length - 12);
            const words = text.slice(start, start + length);
            fc.pre((words.match(/[\p{L}\p{N}]/gu) ?? []).length > 7);
            // Half a decimal number is another number.
            fc.pre(!/\p{N}/u.test(words.at(0)! + words.at(-1)!));
            expect(finder.find(words, page)).toEqual({ page });
          },
        ),
      );
    });
  });

  describe('words that show a value', () => {
    it.each<[string, string, boolean]>([
      ['12 400 kWh en 2024', '12400', true],
      ['12 400 kWh en 2024', '12 400', true],
      ['1,5 million', '1.5', true],
      ['12 400 kWh', '12 500', false],
      ['beaucoup de femmes', 'beaucoup', false],
    ])('%j shows %j: %s', (quote, value, is) => expect(shows(quote, value)).toBe(is));
  });
});
