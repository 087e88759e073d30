import { missingFrom } from './missing-words.js';

const texts = [
  'Une amende de 5 000 francs est due par qui ouvre la vanne en dehors de son tour.',
  'Section › Water: the valve is opened by whoever has the turn. They have a president.',
  '員工因公出差，可以申請住宿補助。',
];

it.each([
  ['Qui a peint la Joconde à Florence ?', ['peint', 'Joconde', 'Florence']],
  ['Who is the president of Chile?', ['Chile']],
  ['Quelle amende pendant le Ramadan ?', ['Ramadan']],
  ['申請珍珠奶茶', ['珍珠奶茶']],
  ['two three four five six seven eight nine ten', ['two', 'three', 'four', 'five', 'six']],
])('of %j the texts lack %j', (query, missing) => {
  expect(missingFrom(texts, query)).toEqual(missing);
});

it.each([
  'Quelle amende si j’ouvre la vanne pendant le Ramadan ?',
  'Quelles AMENDES, quelles vannes ?',
  'Who opens the valves?',
  '员工出差怎么申请补助？',
  '員工出差可以申請珍珠奶茶嗎？',
  'amende de 5000 francs',
  '',
])('of %j the texts have more than half', (query) => {
  expect(missingFrom(texts, query)).toEqual([]);
});

it('of texts that there are not, all that is asked about is missing', () => {
  expect(missingFrom([], 'Who opens the valve?')).toEqual(['opens', 'valve']);
});
