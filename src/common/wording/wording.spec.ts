import { readdirSync } from 'node:fs';

import { counted, fill, wordingIn } from './wording.js';

const languages = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));

/** The texts of a language by their paths, in the order of the file. */
function textsOf(language: string): Map<string, string> {
  const texts = new Map<string, string>();
  function add(value: unknown, path: string): void {
    if (typeof value === 'string') texts.set(path, value);
    else for (const [key, inner] of Object.entries(value as object)) add(inner, `${path}.${key}`);
  }
  add(wordingIn(language), language);
  return new Map([...texts].map(([path, text]) => [path.slice(language.length + 1), text]));
}

function placesOf(text: string): string[] {
  return [...new Set(text.match(/\{\w+\}/g))].toSorted();
}

describe('a catalogue', () => {
  const english = textsOf('en');

  it('is there for every language', () => {
    expect(languages).toEqual(['en', 'es', 'fr', 'zh-hant']);
    const spoken = languages.map((language) => wordingIn(language).fileLink.language.toLowerCase());
    expect(spoken).toEqual(languages);
  });

  it.each(['es', 'fr', 'zh-hant'])('says all that English says, with the same places, in %s', (language) => {
    const texts = textsOf(language);
    expect([...texts.keys()].toSorted()).toEqual([...english.keys()].toSorted());
    const wrong = [...texts].filter(
      ([path, text]) => placesOf(text).join() !== placesOf(english.get(path) ?? '').join(),
    );
    expect(wrong).toEqual([]);
  });

  it.each(['es', 'fr', 'zh-hant'])('says sentences in words of its own, in %s', (language) => {
    const same = [...textsOf(language)].filter(
      ([path, text]) => /\w+ \w+ \w+/.test(text) && text === english.get(path),
    );
    expect(same).toEqual([]);
  });

  it.each(languages)('says nothing empty and closes its places, in %s', (language) => {
    const wrong = [...textsOf(language).values()].filter(
      (text) => text === '' || /[{}]/.test(text.replaceAll(/\{\w+\}/g, '')),
    );
    expect(wrong).toEqual([]);
  });
});

it.each([
  ['en', 'en'],
  ['fr', 'fr'],
  ['es-419', 'es'],
  ['zh-Hant-TW', 'zh-Hant'],
  ['FR-ca', 'fr'],
  ['fr_CA', 'fr'],
  ['pt-BR', 'en'],
  ['fra', 'en'],
  ['x-fr', 'en'],
  ['', 'en'],
  // A property of every object is not a language.
  ['constructor', 'en'],
  ['__proto__', 'en'],
])('for the tag %j is in %s', (tag, language) => {
  expect(wordingIn(tag).fileLink.language).toBe(language);
});

it('is filled once: a value may have braces of its own', () => {
  expect(fill('{a} and {b}, {a}', { a: '{b}', b: 2 })).toBe('{b} and 2, {b}');
  expect(() => fill('{a} of {b}', { a: 1 })).toThrow('Nothing was given for {b}');
});

it('has forms for one and for any other number', () => {
  const forms = { one: '{count} page of {name}', other: '{count} pages of {name}' };
  expect([0, 1, 2].map((count) => counted(forms, count, { name: 'a' }))).toEqual([
    '0 pages of a',
    '1 page of a',
    '2 pages of a',
  ]);
});
