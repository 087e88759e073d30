import { loadGrid } from './grid.js';
import { languages } from '../wording.js';
import { fitWords, loadCriteriaWords, type Translation } from './criteria-words.js';

const grid = loadGrid();
const words = loadCriteriaWords(grid);

function translation(): Translation {
  const { pillars, topics, sectors, indicators } = words.es;
  return {
    pillars: Object.fromEntries(pillars),
    topics: Object.fromEntries(topics),
    sectors: Object.fromEntries(sectors),
    indicators: Object.fromEntries(
      [...indicators].map(([id, { title, question, levels, action }]) => [
        id,
        {
          title,
          question,
          ...(levels.length > 0 ? { levels: [...levels] } : {}),
          ...(action === null ? {} : { action }),
        },
      ]),
    ),
  };
}

describe('the words of the criteria', () => {
  it.each(languages)('are all there, once each, in %s', (language) => {
    const { pillars, topics, sectors, indicators } = words[language];
    expect([pillars.size, topics.size, sectors.size, indicators.size]).toEqual([3, 17, 8, 38]);
    const titles = [...indicators.values()].map(({ title }) => title);
    const questions = [...indicators.values()].map(({ question }) => question);
    expect([new Set(titles).size, new Set(questions).size]).toEqual([38, 38]);
    expect(questions.filter((question) => !/[?？]$/.test(question))).toEqual([]);
    for (const { levels } of indicators.values()) expect(new Set(levels).size).toBe(levels.length);
  });

  it('take French and English from the criteria themselves', () => {
    expect(words.fr.indicators.get('E04')).toEqual({
      title: 'Émissions indirectes, scope 3',
      question: 'Estimez-vous vos principales émissions indirectes (scope 3 : achats, transport, déchets) ?',
      levels: ['Rien en place', 'Postes principaux identifiés', 'Postes principaux chiffrés'],
      action: null,
    });
    expect(words.en.topics.get('equality')).toBe('Gender equality');
  });

  it.each<[string, RegExp, (words: Translation) => void]>([
    ['a topic without a name', /es topics water/, ({ topics }) => void delete topics.water],
    ['an indicator too much', /es indicators E99/, (w) => void (w.indicators.E99 = w.indicators.E01!)],
    ['a level too few', /4 levels for E01, not 5/, (w) => void w.indicators.E01!.levels!.pop()],
    [
      'levels where there are none',
      /2 levels for E02, not 0/,
      (w) => void (w.indicators.E02!.levels = ['a', 'b']),
    ],
    ['a no without an action', /no action for S02/, (w) => void delete w.indicators.S02!.action],
  ])('are refused with %s', (_, message, change) => {
    const changed = translation();
    change(changed);
    expect(() => fitWords(grid, 'es', changed)).toThrow(message);
  });
});
