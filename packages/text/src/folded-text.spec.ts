import { folded, withoutAccents } from './folded-text.js';

it.each([
  ['Éléphant à Saint-Louis', 'Elephant a Saint-Louis'],
  ['e\u0301te\u0301', 'ete'],
  ['ｅᵉé', 'eee'],
  ['ñandú, Größe', 'nandu, Große'],
  ['碳足跡', '碳足跡'],
  ['', ''],
])('leaves %s without accents', (text, plain) => {
  expect(withoutAccents(text)).toBe(plain);
});

it('makes one of what differs in case, apostrophes and blanks', () => {
  expect(folded('L’Été \n à  DAKAR')).toBe(folded("l'ete a dakar"));
});
