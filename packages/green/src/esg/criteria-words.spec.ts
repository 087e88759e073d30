import { loadGrid } from './grid.js';
import { languages } from '../wording.js';
import { type CriteriaWords, fitWords, loadCriteriaWords } from './criteria-words.js';

const grid = loadGrid();
const words = loadCriteriaWords(grid);

describe('the words of the criteria', () => {
  it.each(languages)('are all there, once each, in %s', (language) => {
    const { pillars, topics, sectors, indicators } = words[language];
    const sizes = [pillars, topics, sectors, indicators].map((words) => Object.keys(words).length);
    expect(sizes).toEqual([3, 17, 8, 38]);
    const titles = Object.values(indicators).map(({ title }) => title);
    const questions = Object.values(indicators).map(({ question }) => question);
    expect([new Set(titles).size, new Set(questions).size]).toEqual([38, 38]);
    expect(questions.filter((question) => !/[?？]$/.test(question))).toEqual([]);
    for (const { levels } of Object.values(indicators)) expect(new Set(levels).size).toBe(levels.length);
  });

  it('say what a level means, and what to do where that does not tell', () => {
    expect(words.fr.indicators.E04).toEqual({
      title: 'Émissions indirectes, scope 3',
      question: 'Estimez-vous vos principales émissions indirectes (scope 3 : achats, transport, déchets) ?',
      levels: ['Rien en place', 'Postes principaux identifiés', 'Postes principaux chiffrés'],
      action: null,
    });
    expect(words.en.topics.equality).toBe('Gender equality');
  });

  it.each<[string, RegExp, (words: CriteriaWords) => void]>([
    ['a topic without a name', /es topics water/, ({ topics }) => void delete topics.water],
    ['an indicator too much', /es indicators E99/, (w) => void (w.indicators.E99 = w.indicators.E01!)],
    ['a level too few', /4 levels for E01, not 5/, (w) => void w.indicators.E01!.levels.pop()],
    [
      'levels where there are none',
      /2 levels for E02, not 0/,
      (w) => void (w.indicators.E02!.levels = ['a', 'b']),
    ],
    ['a no without an action', /no action for S02/, (w) => void (w.indicators.S02!.action = null)],
  ])('are refused with %s', (_, message, change) => {
    const changed = structuredClone(words.es);
    change(changed);
    expect(() => fitWords(grid, 'es', changed)).toThrow(message);
  });
});
