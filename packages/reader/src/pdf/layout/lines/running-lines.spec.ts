import type { Layer } from './piece.js';
import { RunningLines } from './running-lines.js';
import { textOf, toSegments } from './segment.js';

const SIZE = 10;
const HEIGHT = 842;

/** A line of a page: how far down it is, and its cells with the places where they begin. */
type Line = readonly [baseline: number, cells: Readonly<Record<number, string>>, size?: number];

function pageOf(lines: readonly Line[], page: number): Layer {
  return {
    pieces: lines.flatMap(([baseline, cells, size = SIZE]) =>
      Object.entries(cells).map(([left, text]) => ({
        text,
        left: Number(left),
        right: Number(left) + text.length * size * 0.5,
        baseline,
        size,
        font: 'plain',
        isSpaced: false,
        heading: null,
        isArtifact: false,
      })),
    ),
    isVertical: false,
    pageHeight: HEIGHT,
    page,
  };
}

/** What is left of the pages of a document. */
function leftOf(pages: readonly (readonly Line[])[]): string[][] {
  const running = new RunningLines();
  const layers = pages.map((lines, index) => pageOf(lines, index + 1));
  for (const layer of layers) running.count(toSegments(layer.pieces), layer);
  return layers.map((layer) => running.without(toSegments(layer.pieces), layer).map(textOf));
}

const six = [1, 2, 3, 4, 5, 6];
function body(page: number): Line {
  return [300, { 50: `Text of page ${page}` }];
}
const bodies = six.map((page) => [`Text of page ${page}`]);

describe('running lines', () => {
  it('are given once, and page numbers never', () => {
    const pages = six.map((page): Line[] => [
      [30, { 50: 'Annual report' }],
      body(page),
      [815, { 300: `${page} / 6` }],
    ]);
    expect(leftOf(pages)).toEqual([['Annual report', 'Text of page 1'], ...bodies.slice(1)]);
  });

  it.each([
    ['beside it', (page: number) => ({ 50: 'Rapport 2024', 500: String(page + 2) })],
    [
      'at the outer side',
      (page: number) =>
        page % 2 === 0
          ? { 50: String(page), 450: 'Rapport 2024' }
          : { 50: 'Rapport 2024', 500: String(page) },
    ],
  ] as [string, (page: number) => Line[1]][])('have their page number %s', (_, header) => {
    const pages = six.map((page): Line[] => [[30, header(page)], body(page)]);
    expect(leftOf(pages)).toEqual([['Rapport 2024', 'Text of page 1'], ...bodies.slice(1)]);
  });

  it.each([
    (page: number) => `Rapport annuel 2024 | ${page}`,
    (page: number) => `${page + 8} – Rapport annuel 2024`,
    (page: number) => `Rapport annuel 2024 Page ${page} sur 6`,
  ])('have their page number among their words', (footer) => {
    const pages = six.map((page): Line[] => [body(page), [815, { 50: footer(page) }]]);
    expect(leftOf(pages)).toEqual([['Text of page 1', footer(1)], ...bodies.slice(1)]);
  });

  it('are none in a table whose numbers look like those of pages', () => {
    const pages = [
      ['350', '2023', '(45)', '12%'],
      ['2', '88', '(7)', '9%'],
      ['410', '2025', '14', '13%'],
      ['6', '2024', '(3)', '100 %'],
    ].map((values, index): Line[] => [
      [60, { 50: `Site ${index}`, 200: values[0]!, 260: values[1]!, 320: values[2]!, 380: values[3]! }],
      body(index),
      [780, { 50: 'Total', 200: values[1]!, 260: values[0]! }],
      [800, { 300: values[2]! }],
    ]);
    expect(leftOf(pages)).toEqual(pages.map((lines) => lines.flatMap(([, cells]) => Object.values(cells))));
  });

  it('are none where a figure differs that does not count the pages', () => {
    const numbers = [10_037, 10_074, 10_111, 10_148];
    const pages = numbers.map((number, index): Line[] => [
      [30, { 50: `Invoice No. ${number} of 12/01/2024` }],
      [50, { 50: 'Invoice No.', 200: String(10_000 + index) }],
      [70, { 50: `${index + 12} janvier 2024` }],
      body(index),
    ]);
    expect(leftOf(pages)).toEqual(pages.map((lines) => lines.flatMap(([, cells]) => Object.values(cells))));
  });

  it('have their page number in the middle, or only on the pages of one side', () => {
    const pages = six.map((page): Line[] => [
      [30, page % 2 === 0 ? { 50: String(page), 450: 'Rapport annuel' } : { 50: `Chapitre ${page}` }],
      body(page),
      [815, { 50: 'Korhogo SA', 290: String(page), 480: 'Mars 2024' }],
    ]);
    expect(leftOf(pages)).toEqual([
      ['Chapitre 1', 'Text of page 1', 'Korhogo SA', 'Mars 2024'],
      ['Rapport annuel', 'Text of page 2'],
      ['Chapitre 3', 'Text of page 3'],
      ['Text of page 4'],
      ['Chapitre 5', 'Text of page 5'],
      ['Text of page 6'],
    ]);
  });

  it.each<[string, (page: number) => Line]>([
    ['years', (page) => [72, { 50: String(2018 + page) }]],
    ['numbers of chapters', (page) => [72, { 50: String(page) }, 18]],
    ['years beside a label', (page) => [60, { 50: 'Exercice', 180: String(2018 + page) }]],
    ['values that grow by one', (page) => [790, { 50: 'Salariés', 300: String(page + 3) }]],
    ['numbers of records', (page) => [60, { 50: 'Fiche :', 500: String(page) }]],
    ['one value on every other page', (page) => [60, { 50: page % 2 === 0 ? 'Conforme' : 'Non conforme' }]],
    ['one value on most pages', (page) => [60, { 50: `Résultat : ${page < 6 ? '' : 'non '}conforme` }]],
  ])('are none where data stands: %s', (_, line) => {
    const pages = six.map((page): Line[] => [
      line(page),
      [
        300,
        {
          50: `The text of page ${page} fills the whole of its line, from the one edge of the page to the other.`,
        },
      ],
    ]);
    expect(leftOf(pages).map((left) => left.length)).toEqual(
      pages.map((lines) => lines.flatMap(([, cells]) => Object.values(cells)).length),
    );
  });

  it('leave no page empty', () => {
    const pages = six.map((page): Line[] => [[30, { 50: 'Annual report', 500: String(page) }]]);
    expect(leftOf(pages)).toEqual(six.map((page) => ['Annual report', String(page)]));
  });
});
