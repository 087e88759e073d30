import fc from 'fast-check';

import { toMarkdown } from './markdown.js';
import { pageBlocks } from './page-layout.js';
import type { Piece } from './lines/piece.js';
import { RunningLines } from './lines/running-lines.js';
import { toSegments } from './lines/segment.js';
import { StyleSample } from './text-style.js';

const SIZE = 10;

/** Text at a place; letters are half as wide as they are high. */
function piece(text: string, left: number, baseline: number, more: Partial<Piece> = {}): Piece {
  return {
    text,
    left,
    right: left + text.length * SIZE * 0.5,
    baseline,
    size: SIZE,
    font: 'plain',
    isSpaced: false,
    heading: null,
    isArtifact: false,
    ...more,
  };
}

function markdownOf(pieces: Piece[]): string {
  const sample = new StyleSample();
  sample.add(toSegments(pieces));
  const style = sample.style((font) => font === 'bold');
  const page = { layers: [{ pieces, isVertical: false, pageHeight: 842, page: 1 }], isCut: false };
  return toMarkdown(pageBlocks(page, style, new RunningLines()));
}

const prose = 'one two three four five six seven eight'.split(' ');
/** Lines as wide as a column, each of words of its own. */
function column(name: string, left: number, lines: number): Piece[] {
  return Array.from({ length: lines }, (_, index) =>
    piece(`${name}${index} ${prose.join(' ')}`.slice(0, 42), left, 100 + index * 13),
  );
}

it('reads one column after the other, however their lines are drawn', () => {
  const left = column('L', 50, 8);
  const right = column('R', 310, 8).map((each) => ({ ...each, baseline: each.baseline + 3 }));
  const mixed = left.flatMap((each, index) => [right[index]!, each]);
  const read = markdownOf([piece('A title that reaches over both of the columns below', 120, 60), ...mixed]);
  const order = [...read.matchAll(/[LR]\d/g)].map(([name]) => name);
  expect(order.join(' ')).toBe('L0 L1 L2 L3 L4 L5 L6 L7 R0 R1 R2 R3 R4 R5 R6 R7');
  expect(read.startsWith('A title')).toBe(true);
});

it('reads what spans columns where it stands', () => {
  const below = column('B', 50, 6).concat(column('C', 310, 6));
  const pieces = [
    ...column('L', 50, 6),
    ...column('R', 310, 6),
    piece('Z9 a line between them that is as long as the whole page is wide, or nearly so', 60, 200),
    ...below.map((each) => ({ ...each, baseline: each.baseline + 120 })),
  ];
  const order = [...markdownOf(pieces).matchAll(/[LRBCZ]\d/g)].map(([name]) => name?.[0]);
  expect(order.join('')).toBe('LLLLLLRRRRRRZBBBBBBCCCCCC');
});

it('makes a table of aligned cells, of several lines too', () => {
  const row = (cells: string[], baseline: number): Piece[] =>
    cells.flatMap((cell, index) => (cell === '' ? [] : [piece(cell, [50, 250, 400][index]!, baseline)]));
  const pieces = [
    piece('What follows is a table, and this is the line above it, which is long.', 50, 60),
    ...row(['Indicator', '2023', '2024'], 100),
    ...row(['Energy', '1 204', '1 101'], 120),
    ...row(['Water that is used for', '8 800', '8 412'], 140),
    ...row(['drying | cooling', '', ''], 152),
    ...row(['Waste', '120', '97'], 172),
    piece('What comes after it is a line again, as long as the one above the table.', 50, 200),
  ];
  expect(markdownOf(pieces).split('\n\n')[1]!.split('\n')).toEqual([
    '| Indicator | 2023 | 2024 |',
    '| --- | --- | --- |',
    '| Energy | 1 204 | 1 101 |',
    '| Water that is used for drying \\| cooling | 8 800 | 8 412 |',
    '| Waste | 120 | 97 |',
  ]);
});

it('keeps raised and lowered signs in their line, though they are hardly smaller than it', () => {
  const small = { size: 0.9 * SIZE };
  const pieces = [
    piece('A surface of 10', 50, 100),
    { ...piece('6', 125, 95.5, small), right: 129.5 },
    piece(' m', 130, 100, { isSpaced: true }),
    { ...piece('2', 140, 95.5, small), right: 144.5 },
    piece(' and 42 tCO', 145, 100, { isSpaced: true }),
    { ...piece('2', 200, 104.5, small), right: 204.5 },
    piece('e that were saved', 204.5, 100),
  ];
  expect(markdownOf(pieces)).toBe('A surface of 10⁶ m² and 42 tCO₂e that were saved');
});

it('leaves lists lists, with items of several lines and lists within', () => {
  const pieces = [
    piece('•', 50, 100),
    piece('An item whose text is so long that it', 64, 100),
    piece('goes on in the next line', 64, 113),
    piece('–', 64, 126),
    piece('Within', 78, 126),
    piece('•', 50, 139),
    piece('The last', 64, 139),
  ];
  expect(markdownOf(pieces)).toBe(
    '- An item whose text is so long that it goes on in the next line\n    - Within\n- The last',
  );
});

it('takes no list for a table, though its markers stand as far off as cells', () => {
  const items = ['First', 'Second', 'Third', 'Fourth'];
  const pieces = items.flatMap((item, index) => [
    piece('•', 50, 100 + index * 14),
    piece(item, 64, 100 + index * 14),
  ]);
  expect(markdownOf(pieces)).toBe('- First\n- Second\n- Third\n- Fourth');
});

it('knows headings by their size and their weight', () => {
  const lines = Array.from({ length: 20 }, (_, index) =>
    piece('plain text that goes on and on until the line is as full as it gets', 50, 200 + index * 13),
  );
  const read = markdownOf([
    piece('The title', 50, 60, { size: 22, right: 150 }),
    piece('A chapter', 50, 100, { size: 16, right: 130 }),
    piece('A section', 50, 170, { font: 'bold' }),
    ...lines,
    piece('# no heading', 50, 500),
  ]);
  expect(read.split('\n\n').map((block) => block.slice(0, 12))).toEqual([
    '# The title',
    '## A chapter',
    '### A sectio',
    'plain text t',
    '\\# no headin',
  ]);
});

it('keeps indices with their words', () => {
  const pieces = [
    piece('CO', 50, 100),
    piece('2', 60, 102, { size: 6, right: 63 }),
    piece('emissions', 66, 100),
  ];
  expect(markdownOf(pieces)).toBe('CO₂ emissions');
});

it('keeps the hyphen of a compound that stands elsewhere within a line', () => {
  const pieces = [
    piece('Workers who are self-employed and others are meant by what a self-', 50, 100),
    piece('employed person says of a com-', 50, 113),
    piece('pany.', 50, 126),
  ];
  expect(markdownOf(pieces)).toContain('a self-employed person says of a company.');
});

function small(text: string, left: number, baseline: number, more: Partial<Piece> = {}): Piece {
  return piece(text, left, baseline, { size: 6.5, right: left + 3 * text.length, ...more });
}

it.each([
  ['an exponent', [piece('3 x 10', 50, 100), small('6', 80, 96.5), piece('kg', 86, 100)], '3 x 10⁶ kg'],
  [
    'an exponent in pieces',
    [piece('10', 50, 100), small('\u2212', 60, 96.5), small('6', 63, 96.5), piece('m', 69, 100)],
    '10⁻⁶ m',
  ],
  [
    'marks of footnotes',
    [piece('12', 50, 100), small('4,5', 60, 96.5), piece('percent', 73, 100)],
    '12^(4,5) percent',
  ],
  [
    'a mark that stands a little off',
    [piece('25', 50, 100), small('3', 61, 96.5, { isSpaced: true }), piece('million', 68, 100)],
    '25³ million',
  ],
  ['the number of a footnote', [small('1', 50, 96.5), piece('2023 figures', 53, 100)], '¹2023 figures'],
  ['an ordinal', [piece('1', 50, 100), small('er', 55, 96.5), piece('janvier', 64, 100)], '1er janvier'],
  ['an index of a number', [piece('log', 50, 100), small('10', 65, 101.5), piece('x', 75, 100)], 'log₁₀ x'],
])('knows %s', (_, pieces, text) => {
  expect(markdownOf(pieces)).toBe(text);
});

it.each([
  ['an initial', [piece('T', 50, 126, { size: 37, right: 74 }), piece('he first', 74, 108)], '# The first'],
  ['small capitals', [piece('ESG 2', 50, 100), small('024', 75, 100)], 'ESG 2024'],
  ['text centred beside it', [piece('12', 50, 100), small('3', 60, 98.8)], '123'],
  ['text of its own', [piece('12', 50, 100), small('4', 64, 96.5)], '12 4'],
  ['as large a font', [piece('12', 50, 100), small('4', 60, 97.6, { size: 9 })], '124'],
])('takes %s for no exponent', (_, pieces, text) => {
  expect(markdownOf(pieces)).toBe(text);
});

it('loses no word, wherever the words stand', () => {
  const place = fc.record({
    left: fc.nat(500),
    baseline: fc.nat(800),
    size: fc.constantFrom(6, 10, 10, 10, 18),
    isSpaced: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(place, { maxLength: 60 }), (places) => {
      const pieces = places.map((at, index) => ({
        ...piece(`w${index}w`, 0, 0),
        ...at,
        right: at.left + 25,
      }));
      const read = markdownOf(pieces).replaceAll(/[^w\d]/g, '');
      for (const { text } of pieces) expect(read).toContain(text);
    }),
    // A fixed seed: a failure must be caused by the tested change.
    { seed: 20_240 },
  );
});
