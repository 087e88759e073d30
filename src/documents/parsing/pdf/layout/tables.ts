import { joinLines } from './lines/join-text.js';
import { isMarker } from './list-marker.js';
import type { Row } from './lines/row.js';
import { textOf } from './lines/segment.js';
import { type Column, isAligned, MAX_COLUMNS, type PlacedRow, TableColumns } from './table-columns.js';

export interface Table {
  /** The first names the columns; all are equally long. */
  rows: string[][];
  first: Row;
  last: Row;
}

/** Rows further apart do not belong together, in sizes of the text. */
const MAX_GAP = 4.5;
/** Lines of one cell stand as close as this. */
const CELL_LINE_GAP = 1.45;
/** So close are no two lines, but cells that are centred beside each other. */
const BETWEEN_LINES = 0.85;

/** The lines of a part of a page, those put together that make a table. When in doubt they stay lines. */
export const findTables = (rows: readonly Row[]): (Row | Table)[] => {
  const found: (Row | Table)[] = [];
  let index = 0;
  while (index < rows.length) {
    const row = rows[index] as Row;
    const run = row.cells.length > 1 ? tableFrom(rows, index) : null;
    found.push(run?.table ?? row);
    index += run?.length ?? 1;
  }
  return found;
};

const tableFrom = (rows: readonly Row[], start: number): { table: Table; length: number } | null => {
  const columns = new TableColumns();
  const placed: PlacedRow[] = [];
  for (const row of rows.slice(start, start + 2000)) {
    const last = placed.at(-1);
    if (last && row.baseline - last.row.baseline > MAX_GAP * row.size) break;
    const next = columns.place(row);
    if (!next || columns.columns.length > MAX_COLUMNS) break;
    placed.push(next);
  }
  const order = columns.inOrder();
  while (placed.length > 0 && isTail(placed, order)) placed.pop();
  const [first] = placed;
  const last = placed.at(-1);
  if (!first || !last || !isTable(placed, order)) return null;
  return {
    table: { rows: cellsOf(placed, order), first: first.row, last: last.row },
    length: placed.length,
  };
};

/** A single cell at the end is a line that comes after the table, unless it goes on in a cell. */
const isTail = (placed: readonly PlacedRow[], [leftmost]: readonly Column[]): boolean => {
  const last = placed.at(-1);
  const before = placed.at(-2);
  if (!last || last.cells.size > 1) return false;
  if (!before) return true;
  if (leftmost && last.cells.has(leftmost) && !(before.cells.has(leftmost) && goesOn(last.row.text)))
    return true;
  return last.row.baseline - before.row.baseline > CELL_LINE_GAP * last.row.size;
};

/** What begins like this begins no label. */
const goesOn = (text: string): boolean => /^(?:\p{Ll}|\()/u.test(text);

const isTable = (placed: readonly PlacedRow[], order: readonly Column[]): boolean => {
  const full = placed.filter(({ cells }) => cells.size > 1);
  if (order.length < 2 || full.length < (order.length === 2 ? 3 : 2)) return false;
  const [leftmost] = order;
  const labels = placed.flatMap(({ cells }) => (leftmost && cells.get(leftmost)) ?? []);
  const isList = labels.filter((label) => isMarker(textOf(label))).length * 2 >= labels.length;
  if (isList) return false;
  const cells = full.reduce((sum, row) => sum + row.cells.size, 0);
  const isSparse = cells * 2 < full.length * order.length;
  return !isSparse && order.filter((column) => isAligned(column, placed)).length >= order.length * 0.6;
};

/** What is in the cells, their lines joined. */
const cellsOf = (placed: readonly PlacedRow[], order: readonly Column[]): string[][] => {
  // The first row, of names, may be the only one that has so many cells.
  const most = placed.slice(1).reduce((most, { cells }) => Math.max(most, cells.size), 2);
  const gap = usualGap(placed, most);
  const rows: string[][] = [];
  let before: Row | null = null;
  for (const { row, cells } of placed) {
    const texts = order.map((column) => {
      const cell = cells.get(column);
      return cell ? textOf(cell) : '';
    });
    const last = rows.at(-1);
    const distance = before ? row.baseline - before.baseline : Infinity;
    const isBetween = distance < BETWEEN_LINES * row.size;
    const isNear = distance <= CELL_LINE_GAP * row.size;
    const isCloser = isNear && distance < 0.9 * gap;
    const isSame = isBetween || (cells.size < most && isCloser);
    if (last && (isSame || (isNear && isLabelTorn(last, texts))))
      for (const [index, text] of texts.entries()) last[index] = joinLines(last[index] ?? '', text);
    else rows.push(texts);
    before = row;
  }
  return rows;
};

/** Whether a label of two lines has its values beside one of them. */
const isLabelTorn = (
  [above = '', ...values]: readonly string[],
  [label = '', ...others]: readonly string[],
): boolean =>
  above !== '' && goesOn(label) && [values, others].some((texts) => texts.every((text) => text === ''));

/** Between rows that have as many cells as any: those begin a row for sure. */
const usualGap = (placed: readonly PlacedRow[], most: number): number => {
  const gaps = placed
    .flatMap(({ row, cells }, index) => {
      const before = placed[index - 1];
      return before && cells.size >= most ? [row.baseline - before.row.baseline] : [];
    })
    .toSorted((one, other) => one - other);
  return gaps[Math.floor(gaps.length / 2)] ?? Infinity;
};
