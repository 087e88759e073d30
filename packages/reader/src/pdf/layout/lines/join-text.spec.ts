import { compoundsIn, isRightToLeft, joinLines, withoutSpread } from './join-text.js';

it.each([
  ['words', 'une phrase', 'continue', 'une phrase continue'],
  ['a word that was cut', 'la cou-', 'verture', 'la couverture'],
  ['a word that was cut out of sight', 'la cou\u00ad', 'verture', 'la couverture'],
  ['a name with a hyphen', 'Jean-', 'Pierre', 'Jean-Pierre'],
  ['a range', '2023-', '2024', '2023-2024'],
  ['an index and a word', 'CO₂-', 'neutral', 'CO₂-neutral'],
  ['a dash', 'voir –', 'ou non', 'voir – ou non'],
  ['capitals and a word', 'rules EU-', 'wide', 'rules EU-wide'],
  ['ideographs', '碳足跡', '報告', '碳足跡報告'],
  ['ideographs and marks', '報告。', '第二', '報告。第二'],
  ['ideographs and letters', '報告', 'ESG', '報告 ESG'],
  ['Korean, which has blanks', '한국', '보고서', '한국 보고서'],
  ['nothing', '', 'text', 'text'],
])('joins %s', (_, text, next, joined) => {
  expect(joinLines(text, next)).toBe(joined);
});

it('joins compounds that the document has with their hyphens', () => {
  const compounds = new Set(compoundsIn('It is Well-known and state-of-the-art.'));
  expect(joinLines('a well-', 'known rule', compounds)).toBe('a well-known rule');
  expect(joinLines('a state-of-the-', 'art', compounds)).toBe('a state-of-the-art');
  expect(joinLines('a well-', 'ness', compounds)).toBe('a wellness');
});

it.each([
  ['spread ideographs', '永 續 報 告 書', '永續報告書'],
  ['ideographs that somebody parted', '第一章 總則', '第一章 總則'],
  ['words', 'a b c d', 'a b c d'],
])('knows %s', (_, line, text) => {
  expect(withoutSpread(line)).toBe(text);
});

it.each([
  ['التقرير السنوي 2024', true],
  ['דוח שנתי ESG', true],
  ['Rapport (تقرير)', false],
  ['2024', false],
  ['', false],
])('knows which way %s is read', (text, expected) => {
  expect(isRightToLeft(text)).toBe(expected);
});
