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

/** Whether each text is a chance hit. */
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

it('the fewer texts there are, the less is taken for chance', () => {
  const question = 'Who has the licence to paint xylophones and zebras?';
  expect(chances(question, handbook.slice(0, 9))[2]).toBe(false);
  expect(chances(question, handbook.slice(0, 60))[2]).toBe(false);
  expect(chances(question, handbook)[2]).toBe(true);
});

it('a text that has nothing of a question is found by chance', () => {
  expect(chances('xylophone zebra quasar', handbook.slice(0, 3))).toEqual([true, true, true]);
});

it('several words that stand together are less of a chance than one that is as much of the question', () => {
  const others = Array.from({ length: 200 }, (_, at) => `Paragraph ${at} of the annual report.`);
  const question = 'glacier turbine harvest museum velvet cinnamon';
  const [together, alone] = chances(question, [
    'The turbine of the glacier',
    'A museum',
    'Some velvet',
    ...others,
  ]);
  expect([together, alone]).toEqual([false, true]);
});

it('a row of two characters is one word, however often it is there', () => {
  const others = Array.from({ length: 200 }, (_, at) => `第${at}頁說明軟體的選單和視窗。`);
  expect(chances('颱風 檸檬 恐龍 員工 上限', ['人數設有上限。', ...others])[0]).toBe(true);
  expect(chances('颱風 檸檬 恐龍 員工 上限', ['員工人數設有上限。', ...others])[0]).toBe(false);
});
