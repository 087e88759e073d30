import { inEnglish, remark, type Sentence, sentenceOf, sentences } from './remarks.js';

it('is a sentence with its values, by the number of what it counts', () => {
  expect(inEnglish(remark('HIDDEN_SHEETS', { count: 1 }))).toBe('1 hidden sheet read like the others.');
  expect(inEnglish(remark('HIDDEN_SHEETS', { count: 2 }))).toBe('2 hidden sheets read like the others.');
});

it('writes numbers as its language does', () => {
  const sentence = 'Plus de {most} pages dans {name}.';
  const { values } = remark('TOO_MANY_PAGES', { most: 10_000, name: '{most}' });
  expect(sentenceOf(sentence, { values }, 'fr')).toBe('Plus de 10\u202f000 pages dans {most}.');
  expect(inEnglish(remark('TOO_MANY_PAGES', { most: 10_000 }))).toMatch(
    /^The document has more than 10,000 p/,
  );
});

it('is a whole sentence, whatever is said', () => {
  const all = Object.values(sentences).flatMap((sentence: Sentence) =>
    typeof sentence === 'string' ? [sentence] : [sentence.one, sentence.other],
  );
  expect(all.filter((sentence) => !/^[A-Z{].{10,}\.$/.test(sentence))).toEqual([]);
});
