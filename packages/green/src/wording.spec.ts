import { readFileSync } from 'node:fs';

import { fill, languages, Speech, wordingOf } from './wording.js';

function catalogueIn(language: string): Record<string, object> {
  const url = new URL(`../wording/${language.toLowerCase()}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as Record<string, object>;
}

/** The texts of a topic by their paths; those of the plural forms of one are one. */
function textsOf(topic: string, language: string): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  const add = (value: unknown, path: string): void => {
    if (typeof value === 'string') texts.set(path, [...(texts.get(path) ?? []), value]);
    else
      for (const [key, inner] of Object.entries(value as object))
        add(inner, key === 'one' || key === 'other' ? path : `${path}.${key}`);
  };
  add(catalogueIn(language)[topic], topic);
  return texts;
}

function placesOf(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))].toSorted();
}

describe('a catalogue', () => {
  it.each(languages)('has every topic in %s', (language) => {
    expect(Object.keys(catalogueIn(language))).toEqual(Object.keys(catalogueIn('en')));
  });

  describe.each(Object.keys(catalogueIn('en')))('of %s', (topic) => {
    const english = textsOf(topic, 'en');

    it.each(languages.slice(1))('says the same with the same places in %s', (language) => {
      const texts = textsOf(topic, language);
      expect([...texts.keys()].toSorted()).toEqual([...english.keys()].toSorted());
      const wrong = [...texts].filter(([path, forms]) =>
        forms.some((form) => placesOf(form).join() !== placesOf(english.get(path)?.[0] ?? '').join()),
      );
      expect(wrong).toEqual([]);
    });

    it.each(languages)('has no text that is empty or does not close what it opens, in %s', (language) => {
      const texts = [...textsOf(topic, language).values()].flat();
      expect(
        texts.filter((text) => text === '' || /[{}[\]]/.test(text.replaceAll(/\{\w+\}|\[[^[\]]*\]/g, ''))),
      ).toEqual([]);
    });
  });
});

describe('a template', () => {
  it.each([
    ['{a} and {b}', { a: 1, b: '{a}' }, '1 and {a}'],
    ['x[ ({a})]', { a: 'y' }, 'x (y)'],
    ['x[ ({a})]', { a: null }, 'x'],
    ['x[ ({a})]', {}, 'x'],
    ['[in {a}|undated]', { a: '' }, 'undated'],
    ['[in {a}|undated]', { a: 2024 }, 'in 2024'],
    ['[{a} {b}|none]', { a: 1 }, 'none'],
  ])('%s is filled', (template, values, text) => {
    expect(fill(template, values)).toBe(text);
  });

  it('is not left with a hole', () => {
    expect(() => fill('{a} of {b}', { a: 1 })).toThrow('Nothing was given for {b}');
  });
});

describe('speech', () => {
  it('takes the plural form of the language, and one text for any number', () => {
    const forms = { one: 'litre', other: 'litres' };
    expect([0, 1, 1.5, 2].map((count) => new Speech('fr').form(forms, count))).toEqual([
      'litre',
      'litre',
      'litre',
      'litres',
    ]);
    expect([0, 1, 1.5].map((count) => new Speech('en').form(forms, count))).toEqual([
      'litres',
      'litre',
      'litres',
    ]);
    expect(new Speech('zh-Hant').form('公升', 1)).toBe('公升');
  });

  it.each([
    ['fr', 'fr'],
    ['FR-sn', 'fr'],
    ['es-419', 'es'],
    ['zh-TW', 'zh-Hant'],
    ['pt', 'en'],
    ['', 'en'],
    ['__proto__', 'en'],
  ])('of %s is %s', (asked, language) => {
    expect(wordingOf(asked).language).toBe(language);
  });
});
