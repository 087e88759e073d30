import type { Piece } from './lines/piece.js';
import { toRows } from './lines/row.js';
import { toSegments } from './lines/segment.js';
import { findTables } from './tables.js';

const SIZE = 10;

interface Column {
  left: number;
  right: number;
}

/** A table as spreadsheets print it: words at the left of their column, numbers at its right, the lines close together. */
function printed(columns: readonly Column[], ...rows: readonly (readonly string[])[]): Piece[] {
  return rows.flatMap((cells, index) =>
    cells.flatMap((text, at) => {
      const width = text.length * SIZE * 0.5;
      const { left = 0, right = 0 } = columns[at] ?? {};
      const begin = /^\d/.test(text) ? right - width : left;
      const baseline = 100 + index * 13.5;
      const piece = { text, left: begin, right: begin + width, baseline, size: SIZE, font: 'plain' };
      return text === '' ? [] : [{ ...piece, isSpaced: false, heading: null, isArtifact: false }];
    }),
  );
}

function tableOf(pieces: readonly Piece[]): string[][] | undefined {
  const [table] = findTables(toRows(toSegments(pieces)));
  return table && 'rows' in table ? table.rows : undefined;
}

const columns = [
  { left: 50, right: 130 },
  { left: 140, right: 210 },
  { left: 220, right: 300 },
  { left: 310, right: 390 },
];

it('puts names at the left of their columns above numbers at the right', () => {
  const rows = [
    ['Date', 'No', 'Debit', 'Credit'],
    ['Jan 2', '1', '1 500,00', '10,00'],
    ['Jan 3', '2', '3,00', '9,00'],
    ['Jan 4', '100 000 000', '4,50', '8,00'],
    ['Jan 5', '101 000 000', '12,00', '7,00'],
  ];
  expect(tableOf(printed(columns, ...rows))).toEqual(rows);
});

it('keeps rows apart of which none has all of its cells', () => {
  const rows = [
    ['Site', 'Debit', 'Credit', 'Note'],
    ['Dakar', '1 500 000', '', 'paid'],
    ['Thies', '', '3 000 000', 'open'],
    ['Louga', '4 500 000', '', 'paid'],
    ['Mbour', '', '6 000 000', 'paid'],
  ];
  expect(tableOf(printed(columns, ...rows))).toEqual(rows);
});

it('puts the lines of a label together, though rows are no further apart', () => {
  const wide = [{ left: 50, right: 200 }, ...columns.slice(2)];
  const rows = [
    ['Indicator', '2022', '2023'],
    ['Water from', '18 400', '16 950'],
    ['wells (m3)', '', ''],
    ['Waste that is', '12,4', '9,8'],
    ['dangerous', '', ''],
    ['Waste that is', '34', '41'],
    ['(recycled)', '', ''],
  ];
  expect(tableOf(printed(wide, ...rows))).toEqual([
    ['Indicator', '2022', '2023'],
    ['Water from wells (m3)', '18 400', '16 950'],
    ['Waste that is dangerous', '12,4', '9,8'],
    ['Waste that is (recycled)', '34', '41'],
  ]);
});

it('knows cells that fill their columns, as those of web pages do', () => {
  // Four pixels of padding on both sides, and a line between.
  const tight = [
    { left: 50, right: 110 },
    { left: 115.6, right: 160.6 },
    { left: 166.2, right: 211.2 },
  ];
  const rows = [
    ['Electricity', '2022', '2023'],
    ['Water, wells', '1 450 120', '1 398 000'],
    ['Waste (tons)', '4 388', '4 520'],
  ];
  expect(tableOf(printed(tight, ...rows))).toEqual(rows);
});
