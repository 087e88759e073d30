import { describe, expect, it } from '@jest/globals';

import { shortSummary, verifiedFindings } from './findings.js';
import { QuoteFinder } from './quotes.js';

const quotes = new QuoteFinder([
  { page: 1, text: 'Nous avons consommé 12 400 kWh en 2024.' },
  { page: 2, text: 'Les femmes sont 52 % de l’effectif.' },
]);
const codes = new Set(['E01', 'S08']);

const energy = {
  label: 'Électricité 2024',
  value: '12 400',
  unit: 'kWh',
  page: 1,
  quote: 'Nous avons consommé 12 400 kWh en 2024.',
};
const women = { code: 'S08', page: 2, quote: 'Les femmes sont 52 % de l’effectif.' };

const read = (given: object) => verifiedFindings({ summary: 'Bien.', ...given }, quotes, codes);

describe('what a model finds in a piece of a document', () => {
  it('is taken as far as the text shows it', () => {
    expect(read({ figures: [energy], esg: [women] })).toEqual({
      summary: 'Bien.',
      figures: [energy],
      esg: [women],
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
    expect(read({ esg: [{ ...women, ...wrong }, women] })?.esg).toEqual([women]);
  });

  it('is given the page of its quote where none is named, and numbers as text', () => {
    const given = { ...energy, page: null, value: 12_400, unit: null };
    expect(read({ figures: [given] })?.figures).toEqual([{ ...energy, value: '12400', unit: '' }]);
    expect(read({ figures: [{ ...energy, page: '1' }] })?.figures).toEqual([energy]);
  });

  it.each([null, 'Bien.', {}, { summary: ' ' }, { summary: 1 }, { summary: 'Bien.', figures: 'none' }])(
    'is of no use as %j',
    (input) => expect(verifiedFindings(input, quotes, codes)).toBeNull(),
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
      esg: [{ code: 'S08' }],
    });
    const stored = JSON.stringify(found);
    expect(stored).not.toContain('\\u0000');
    // JSON escapes halves of characters, and nothing else so.
    expect(stored).not.toMatch(/\\ud[89a-f]/i);
    expect(stored.isWellFormed()).toBe(true);
    expect(shortSummary('🌱'.repeat(1_500)).isWellFormed()).toBe(true);
  });

  it('is summed up within bounds', () => {
    expect(shortSummary(' Un.\n\n\n Deux. ')).toBe('Un.\nDeux.');
    expect(shortSummary('a'.repeat(5_000))).toHaveLength(2_000);
  });
});
