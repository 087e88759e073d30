import { missingFrom, missingFromOne } from './missing-words.js';

const passages = [
  ['Règlement', 'Une amende de 5 000 francs est due par qui ouvre la vanne en dehors de son tour.'],
  ['Water', 'The valve is opened by whoever has the turn. They have a president.'],
  ['', '員工因公出差，可以申請住宿補助。'],
].map(([heading, text]) => ({ documentName: 'Canal.pdf', headings: [heading!], text: text! }));

it.each([
  ['Qui a peint la Joconde à Florence ?', ['peint', 'Joconde', 'Florence']],
  ['Who is the president of Chile?', ['Chile']],
  ['Quelle amende pendant le Ramadan ?', ['Ramadan']],
  ['申請珍珠奶茶', ['珍珠奶茶']],
  ['two three four five six seven eight nine ten', ['two', 'three', 'four', 'five', 'six']],
])('of %j the passages lack %j', (query, missing) => {
  expect(missingFrom(passages, query)).toEqual(missing);
});

it.each([
  'Quelle amende si j’ouvre la vanne pendant le Ramadan ?',
  'Quelles AMENDES, quelles vannes ?',
  'Who opens the valves?',
  'Quel règlement pour le canal ?',
  '员工出差怎么申请补助？',
  '員工出差可以申請珍珠奶茶嗎？',
  'amende de 5000 francs',
  '',
])('of %j the passages have more than half', (query) => {
  expect(missingFrom(passages, query)).toEqual([]);
});

it('of passages that there are not, all that is asked about is missing', () => {
  expect(missingFrom([], 'Who opens the valve?')).toEqual(['opens', 'valve']);
});

it('of one passage each word that it lacks is told, however few', () => {
  const [canal] = passages;
  expect(missingFromOne(canal!, 'Quelle amende pour une vanne pendant le Ramadan ?')).toEqual(['Ramadan']);
  expect(missingFromOne(canal!, 'Quelles amendes ?')).toEqual([]);
});

it('of one passage no more is looked for than is told, nor beyond the first words of a query', () => {
  const [canal] = passages;
  const codes = Array.from({ length: 60 }, (_, at) => `c${at + 10}`);
  expect(missingFromOne(canal!, codes.join(' '))).toEqual(codes.slice(0, 5));
  const there = { ...canal!, text: codes.slice(0, 50).join(' ') };
  expect(missingFromOne(there, codes.join(' '))).toEqual([]);
});
