import { colours } from '../look.js';
import type { BlockOf, Fact, Figure } from '../report.js';
import { bodyTwips, border, paragraph, text, words } from './docx-text.js';
import { element, type Xml } from './xml.js';

interface CellLook {
  width: number;
  fill?: string;
  /** A thick line at its left. */
  edge?: string;
}

const cell = ({ width, fill, edge }: CellLook, ...content: readonly Xml[]): Xml =>
  element(
    'w:tc',
    {},
    element(
      'w:tcPr',
      {},
      element('w:tcW', { 'w:w': width, 'w:type': 'dxa' }),
      edge !== undefined && element('w:tcBorders', {}, border('left', edge, 24)),
      fill !== undefined && element('w:shd', { 'w:val': 'clear', 'w:color': 'auto', 'w:fill': fill }),
    ),
    ...content,
  );

const row = (options: { isHead?: boolean }, cells: readonly Xml[]): Xml =>
  element(
    'w:tr',
    {},
    element('w:trPr', {}, element('w:cantSplit'), options.isHead === true && element('w:tblHeader')),
    ...cells,
  );

const table = (widths: readonly number[], hasRules: boolean, rows: readonly Xml[]): Xml => {
  const rule = hasRules ? colours.rule : null;
  return element(
    'w:tbl',
    {},
    element(
      'w:tblPr',
      {},
      element('w:tblW', { 'w:w': widths.reduce((sum, width) => sum + width, 0), 'w:type': 'dxa' }),
      element(
        'w:tblBorders',
        {},
        border('top', rule),
        border('left', null),
        border('bottom', rule),
        border('right', null),
        border('insideH', rule),
        border('insideV', null),
      ),
      element('w:tblLayout', { 'w:type': 'fixed' }),
      element(
        'w:tblCellMar',
        {},
        element('w:top', { 'w:w': 60, 'w:type': 'dxa' }),
        element('w:left', { 'w:w': 90, 'w:type': 'dxa' }),
        element('w:bottom', { 'w:w': 60, 'w:type': 'dxa' }),
        element('w:right', { 'w:w': 90, 'w:type': 'dxa' }),
      ),
    ),
    element('w:tblGrid', {}, ...widths.map((width) => element('w:gridCol', { 'w:w': width }))),
    ...rows,
  );
};

/** Widths that sum up to the page's. */
const shares = (weights: readonly number[]): number[] => {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => Math.floor((bodyTwips * weight) / whole));
};

/** So many rows are kept together. */
const SHORT_ROWS = 6;

/** A table whose head Word repeats on every page. */
export const dataTable = ({ columns, rows, total }: BlockOf<'table'>): Xml => {
  const widths = shares(columns.map(({ weight }) => weight));
  const rowOf = (
    cells: readonly string[],
    style: string,
    look: { isHead?: boolean; fill?: string; keepsNext?: boolean } = {},
  ): Xml =>
    row(
      look,
      columns.map(({ isNumber = false }, index) =>
        cell(
          { width: widths[index] ?? 0, ...(look.fill === undefined ? {} : { fill: look.fill }) },
          paragraph({ style, isEnd: isNumber, keepsNext: look.keepsNext === true }, text(cells[index] ?? '')),
        ),
      ),
    );
  // A short table stays on one page, and a total does not stand alone on the next.
  const keepsNext = (index: number): boolean =>
    index < rows.length - 1 ? rows.length <= SHORT_ROWS : total !== undefined;
  return table(widths, true, [
    rowOf(
      columns.map(({ title }) => title),
      'TableHead',
      { isHead: true, fill: colours.tint, keepsNext: true },
    ),
    ...rows.map((cells, index) => rowOf(cells, 'TableText', { keepsNext: keepsNext(index) })),
    ...(total ? [rowOf(total, 'TableHead', { fill: colours.tint })] : []),
  ]);
};

export const factsTable = (facts: readonly Fact[]): Xml => {
  const [labelWidth = 0, valueWidth = 0] = shares([34, 66]);
  const rows = facts.map(({ label, value }) =>
    row({}, [
      cell({ width: labelWidth }, words('TableHead', label)),
      cell({ width: valueWidth }, words('TableText', value)),
    ]),
  );
  return table([labelWidth, valueWidth], true, rows);
};

export const figuresTable = (figures: readonly Figure[]): Xml => {
  const widths = shares(figures.map(() => 1));
  const cells = figures.map(({ label, value, detail }, index) =>
    cell(
      { width: widths[index] ?? 0, fill: colours.tint, edge: colours.accent },
      words('Muted', label),
      words(figures.length > 3 ? 'FigureSmall' : 'Figure', value),
      ...(detail === '' ? [] : [words('Muted', detail)]),
    ),
  );
  return table(widths, false, [row({}, cells)]);
};
