import { languageFor, type Text } from './catalogue.js';
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import enOfScreens from './screens/en.json' with { type: 'json' };
import esOfScreens from './screens/es.json' with { type: 'json' };
import frOfScreens from './screens/fr.json' with { type: 'json' };
import zhHantOfScreens from './screens/zh-hant.json' with { type: 'json' };
import zhHant from './zh-hant.json' with { type: 'json' };

type Texts = Record<string, Text>;
const catalogues: [language: string, texts: Texts, english: Texts][] = [
  ['en', en, en],
  ['es', es, en],
  ['fr', fr, en],
  ['zh-Hant', zhHant, en],
  ['en', enOfScreens, enOfScreens],
  ['es', esOfScreens, enOfScreens],
  ['fr', frOfScreens, enOfScreens],
  ['zh-Hant', zhHantOfScreens, enOfScreens],
];

it('a text stands in one place', () => {
  expect(Object.keys(enOfScreens).filter((key) => key in en)).toEqual([]);
});

function namesIn(text: Text | undefined): string[] {
  const all = typeof text === 'string' ? text : Object.values(text ?? {}).join(' ');
  return [...new Set(all.match(/\{\w+\}/g))].toSorted();
}

describe.each(catalogues)('the texts in %s', (language, catalogue, english) => {
  it('are those of the other languages, in the order of their keys', () => {
    expect(Object.keys(catalogue)).toEqual(Object.keys(english).toSorted());
  });

  it('have the same values to fill in', () => {
    const names = (texts: Record<string, Text>): unknown =>
      Object.entries(texts).map(([key, text]) => [key, namesIn(text)]);
    expect(names(catalogue)).toEqual(names(english));
  });

  it('have a plural for each category of the language', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    const plurals = Object.entries(catalogue).filter(([, text]) => typeof text !== 'string');
    const categories = pluralCategories.toSorted();
    expect(plurals.map(([key, text]) => [key, Object.keys(text).toSorted()])).toEqual(
      plurals.map(([key]) => [key, categories]),
    );
  });
});

it.each([
  [['de-CH', 'fr-CA', 'en'], 'fr'],
  [['zh-CN'], 'zh-Hant'],
  [['es'], 'es'],
  [['de'], 'en'],
  [[], 'en'],
])('speaks to who wishes %j in %s', (wishes, language) => {
  expect(languageFor(wishes)).toBe(language);
});
