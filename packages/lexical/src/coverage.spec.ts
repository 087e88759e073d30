import { QueryTerms } from './query-terms.js';
import { TermMatches } from './term-matches.js';
import { TermVector } from './term-vector.js';

const handbook = [
  'Everybody has 27 days of annual leave, and one more after five years with us.',
  'Hotels are refunded up to 140 a night, meals up to 45 a day.',
  'Drivers must be 23 and have held a licence for two years.',
  'Lithium batteries and acids are stored in bay 9 behind the yellow line.',
  'A password has fourteen characters or more and is never written down.',
  '每家企業最高可貸三千萬元，首次往來者以一千萬元為限。',
  'Capital of 1,234,567 was paid in.',
  ...Array.from(
    { length: 93 },
    (_, at) => `Section ${at} says how many people ask the office about this and that.`,
  ),
];

/** Whether each text is found by chance. */
function chances(question: string, texts: readonly string[]): boolean[] {
  const query = QueryTerms.of(question);
  const matches = new TermMatches(query.terms);
  const rows = texts.map((text) => matches.add(TermVector.of(text)));
  const { isChance } = query.coverage(question, texts.length, (gram) => matches.df(gram));
  return rows.map((row) => isChance(matches.termsOf(row)));
}

it.each([
  ['How many days of annual leave are there?', 0],
  ['What is refunded for hotels?', 1],
  ['where are bateries and acids stored', 3],
  ['password', 4],
  ['最多可以貸多少萬元？', 5],
  ['首次往来', 5],
  ['1234567', 6],
])('%s is answered by one text of a hundred', (question, answer) => {
  expect(chances(question, handbook)[answer]).toBe(false);
});

it.each([
  'Who painted the Mona Lisa?',
  'xylophone zebra quasar',
  'Recette du gâteau au chocolat',
  '如何製作珍珠奶茶？',
])('%s is answered by none', (question) => {
  expect(chances(question, handbook)).not.toContain(false);
});

it('a text that has all that was asked for is no chance, though all the others have it too', () => {
  expect(
    chances(
      'loan',
      Array.from({ length: 50 }, () => 'the loan'),
    ),
  ).not.toContain(true);
});

it('few texts are too few to tell', () => {
  expect(chances('xylophone zebra quasar', handbook.slice(0, 50))).not.toContain(true);
});
