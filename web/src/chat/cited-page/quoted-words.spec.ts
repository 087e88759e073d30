import { quotedRanges } from './quoted-words.js';

function quotedIn(page: string, quote: string): string[] {
  return quotedRanges(page, quote).map(({ start, end }) => page.slice(start, end));
}

it.each([
  // Lines are broken elsewhere, and the quote has signs of Markdown.
  [
    'Intro. The share of\nsolar power is 40 %\nby 2027. The end.',
    '**The share** of solar power is 40 % by 2027.',
    ['The share of\nsolar power is 40 %\nby 2027'],
  ],
  // Single words of it elsewhere are no quote.
  ['The solar roof. A share of the power.', 'The share of solar power', []],
  ['Énergie SOLAIRE à Dakar, dit-elle.', 'energie solaire a dakar', ['Énergie SOLAIRE à Dakar']],
  ['目標是在二〇二七年前提高太陽能比例。', '太陽能比例', ['太陽能比例']],
  // A word that the page breaks in two ends one range and begins another.
  [
    'one two three elec-\ntricity four five six',
    'one two three electricity four five six',
    ['one two three', 'four five six'],
  ],
  ['Total: 12', 'total', ['Total']],
  ['Anything', '', []],
])('of %j, %j is quoted', (page, quote, expected) => {
  expect(quotedIn(page, quote)).toEqual(expected);
});
