import { loadGrid } from './grid.js';
import { loadSectorMatcher, readSectorNames } from './sector-match.js';
import { languages } from '../wording.js';
import { loadCriteriaWords } from './criteria-words.js';

const grid = loadGrid();
const match = loadSectorMatcher(grid);
const words = loadCriteriaWords(grid);

describe('a sector in words', () => {
  it.each<[string, string | null]>([
    ['Agroalimentaire', 'agro'],
    ['transformation de noix de cajou', 'agro'],
    ['PÊCHE artisanale', 'agro'],
    ['agricultura y ganadería', 'agro'],
    ['食品加工', 'agro'],
    ['Énergie solaire', 'energy'],
    ['BTP', 'construction'],
    ['Bâtiment et travaux publics', 'construction'],
    ['transport routier, logistique', 'transport'],
    ['Confection de vêtements', 'textile'],
    ['confectionery', null],
    ['Main-d’œuvre', null],
    ['hôtellerie et restauration', 'services'],
    ['Services', 'services'],
    ['services informatiques', 'ict'],
    ['commerce de produits agricoles', 'agro'],
    ['mine d’or', 'mining'],
    ['eau minérale', null],
    ['Software development', 'ict'],
    // Two sectors count as none, because the weights would be a guess.
    ['transport de produits agricoles', null],
    ['métallurgie', null],
    ['', null],
  ])('%s is %s', (text, id) => {
    expect(match(text)?.id ?? null).toBe(id);
  });

  it.each(languages)('is found by its own name in %s', (language) => {
    const names = Object.entries(words[language].sectors);
    expect(names.map(([, name]) => match(name)?.id ?? name)).toEqual(names.map(([id]) => id));
  });

  it('is read in time, however long', () => {
    expect(match(`${'x '.repeat(1_000_000)}BTP`)).toBeNull();
    expect(match(`BTP ${'x '.repeat(1_000_000)}`)?.id).toBe('construction');
  });
});

describe('readSectorNames', () => {
  it.each<[string, RegExp, unknown]>([
    ['names that are no words', /not usable/, { agro: { words: ['*'], general: [] } }],
    ['a sector that does not exist', /does not exist: space/, { space: { words: ['rocket'], general: [] } }],
    ['a sector without names', /has no names/, { agro: { words: ['farm'], general: [] } }],
  ])('refuses %s', (_, message, json) => {
    expect(() => readSectorNames(grid, json)).toThrow(message);
  });
});
