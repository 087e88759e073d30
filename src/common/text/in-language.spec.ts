import { inLanguage } from './in-language.js';

const greeting = inLanguage({ en: 'hello', fr: 'bonjour', es: 'hola', zh: '您好' });

it.each([
  ['en', 'hello'],
  ['fr', 'bonjour'],
  ['es-419', 'hola'],
  ['zh-Hant-TW', '您好'],
  ['FR-ca', 'bonjour'],
  ['fr_CA', 'bonjour'],
  ['pt-BR', 'hello'],
  ['fra', 'hello'],
  ['x-fr', 'hello'],
  ['', 'hello'],
  // A name that every object has is no language.
  ['constructor', 'hello'],
  ['__proto__', 'hello'],
])('finds the words for %j', (tag, words) => {
  expect(greeting(tag)).toBe(words);
});
