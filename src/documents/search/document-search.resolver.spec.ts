import { DocumentSearchResolver } from './document-search.resolver.js';
import type { Searches, ShownPassage } from './searches.service.js';

it('what a passage lacks is found once, however often it is asked for', () => {
  const resolver = new DocumentSearchResolver({} as Searches);
  const passage = { documentName: 'Canal.pdf', headings: [], text: 'La vanne.', query: 'vanne, Ramadan' };
  const shown = passage as unknown as ShownPassage;
  expect(resolver.missing(shown)).toEqual(['Ramadan']);
  expect(resolver.missing(shown)).toBe(resolver.missing(shown));
});
